package io.millrace.streams.operator.elements;

import io.millrace.streams.inspect.Monitor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has passed a {@link MonitorStage}, for any thread to see.
 *
 * <p><b>Threads</b>: the stage's island writes, any thread reads.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code last}: written by release before {@code count}, which is written by release and read by acquire, so
 * whoever sees a count sees its element or a later one; {@code end}: volatile, written once, after the last of the two.<br>
 * <b>States</b>: RUNNING -> one of the others, once.<br>
 * <b>Proved by</b>: ControlTest.
 */
final class Passed<T> implements Monitor<T> {
    /** The end, and what caused it. */
    private record End(State state, @Nullable Throwable cause) {}

    private static final End NONE = new End(State.RUNNING, null);

    private static final VarHandle LAST;
    private static final VarHandle COUNT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LAST = lookup.findVarHandle(Passed.class, "last", Object.class);
            COUNT = lookup.findVarHandle(Passed.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read by its handle
    private @Nullable T last;

    private long count;
    private volatile End end = NONE;

    @Override
    public State state() {
        return end.state();
    }

    @Override
    public long count() {
        return (long) COUNT.getAcquire(this);
    }

    @SuppressWarnings("unchecked")
    @Override
    public Optional<T> lastElement() {
        return Optional.ofNullable((T) LAST.getAcquire(this));
    }

    @Override
    public Optional<Throwable> cause() {
        return Optional.ofNullable(end.cause());
    }

    /** Called in the island. */
    void passed(T element) {
        LAST.setRelease(this, element);
        COUNT.setRelease(this, count + 1);
    }

    /** Called in the island; only the first call counts. */
    void ended(State state, @Nullable Throwable cause) {
        if (end.state() == State.RUNNING) {
            end = new End(state, cause);
        }
    }
}
