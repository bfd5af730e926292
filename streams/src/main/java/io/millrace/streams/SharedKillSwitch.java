package io.millrace.streams;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends any number of streams at once, also those that are run later; safe to use from any thread. The first throw counts.
 *
 * <p><b>Threads</b>: any thread throws it; stages add and remove themselves from their islands.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code thrown}: set once by compare-and-set before {@code listeners} is gone through; a stage looks at
 * it after adding itself, so one of the two sees the other.<br>
 * <b>States</b>: armed -> thrown, once.<br>
 * <b>Proved by</b>: OutsideEventsTest.
 */
public final class SharedKillSwitch {
    private final String name;
    private final Set<UniqueKillSwitch> listeners = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Optional<Throwable>> thrown = new AtomicReference<>();

    SharedKillSwitch(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    public String name() {
        return name;
    }

    /** A flow that lets everything through until the switch is thrown. */
    public <T> Flow<T, T, SharedKillSwitch> flow() {
        return Flow.fromGraph(new KillSwitchStage<T>(this)).mapMaterializedValue(own -> this);
    }

    /** Completes all streams downstream of the switch and cancels them upstream. */
    public void shutdown() {
        end(Optional.empty());
    }

    /** Fails all streams downstream of the switch and cancels them upstream with this failure. */
    public void abort(Throwable failure) {
        end(Optional.of(failure));
    }

    private void end(Optional<Throwable> how) {
        if (thrown.compareAndSet(null, how)) {
            listeners.forEach(listener -> tell(listener, how));
        }
    }

    /** Tells the listener of a throw from now on; the action, at once, of one before, of which the listener may be told as well. */
    void add(UniqueKillSwitch listener, Consumer<Optional<Throwable>> ifThrown) {
        listeners.add(listener);
        Optional<Throwable> how = thrown.get();
        if (how != null) {
            ifThrown.accept(how);
        }
    }

    void remove(UniqueKillSwitch listener) {
        listeners.remove(listener);
    }

    private static void tell(UniqueKillSwitch listener, Optional<Throwable> how) {
        if (how.isPresent()) {
            listener.abort(how.get());
        } else {
            listener.shutdown();
        }
    }
}
