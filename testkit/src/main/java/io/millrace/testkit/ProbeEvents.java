package io.millrace.testkit;

import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a probe's stage has seen, in order.
 *
 * <p><b>Threads</b>: the stage's island adds, the test takes.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code seen}, a blocking queue.<br>
 * <b>States</b>: none.<br>
 * <b>Proved by</b>: SignalOrderTest.
 */
final class ProbeEvents {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String probe;
    private final BlockingQueue<Event> seen = new LinkedBlockingQueue<>();

    ProbeEvents(String probe) {
        this.probe = probe;
    }

    /** Something a probe sees. */
    sealed interface Event {}

    /** An element has come. */
    record Element(Object value) implements Event {}

    /** Upstream has completed. */
    record Completed() implements Event {}

    /** Upstream has failed. */
    record Failed(Throwable failure) implements Event {}

    /** Downstream asks for an element. */
    record Pulled() implements Event {}

    /** Downstream has cancelled. */
    record Cancelled(Throwable cause) implements Event {}

    void add(Event event) {
        seen.add(event);
    }

    /** How many were seen that nobody has taken. */
    int size() {
        return seen.size();
    }

    /** The next event, which must be of this kind and come within ten seconds. */
    <E extends Event> E expect(Class<E> kind) {
        Event next = poll(PATIENCE);
        if (next == null) {
            throw new AssertionError(probe + " expected " + kind.getSimpleName() + ", but nothing came in " + PATIENCE);
        }
        if (!kind.isInstance(next)) {
            throw new AssertionError(probe + " expected " + kind.getSimpleName() + ", but saw " + next, cause(next));
        }
        return kind.cast(next);
    }

    void expectNothing(Duration within) {
        Event next = poll(within);
        if (next != null) {
            throw new AssertionError(probe + " expected nothing for " + within + ", but saw " + next, cause(next));
        }
    }

    /** The next event, or null if none comes in time. */
    @Nullable
    Event poll(Duration atMost) {
        try {
            return seen.poll(Durations.nanos(atMost), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(probe + " was interrupted while it waited", e);
        }
    }

    private static @Nullable Throwable cause(Event event) {
        if (event instanceof Failed failed) {
            return failed.failure();
        }
        return event instanceof Cancelled cancelled ? cancelled.cause() : null;
    }
}
