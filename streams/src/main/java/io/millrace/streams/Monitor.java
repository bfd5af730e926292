package io.millrace.streams;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shows what has gone through one place of a stream; safe to ask from any thread, as of about now.
 *
 * <p><b>Threads</b>: the stage's island writes, any thread reads.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code last}: written by release before {@code count}, which is written by release and read by acquire, so
 * whoever sees a count sees its element or a later one; {@code end}: volatile, written once, after the last of the two.<br>
 * <b>States</b>: RUNNING -> one of the others, once.<br>
 * <b>Proved by</b>: ControlTest.
 */
public final class Monitor<T> {
    /** How the stream stands here. */
    public enum State {
        RUNNING,
        COMPLETED,
        FAILED,
        CANCELLED
    }

    /** The end, and what caused it. */
    private record End(State state, @Nullable Throwable cause) {}

    private static final End NONE = new End(State.RUNNING, null);

    private static final VarHandle LAST;
    private static final VarHandle COUNT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LAST = lookup.findVarHandle(Monitor.class, "last", Object.class);
            COUNT = lookup.findVarHandle(Monitor.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read by its handle
    private @Nullable T last;

    private long count;
    private volatile End end = NONE;

    Monitor() {}

    public State state() {
        return end.state();
    }

    /** How many elements have gone through. */
    public long count() {
        return (long) COUNT.getAcquire(this);
    }

    /** The last element that has gone through. */
    @SuppressWarnings("unchecked")
    public Optional<T> lastElement() {
        return Optional.ofNullable((T) LAST.getAcquire(this));
    }

    /** What the stream failed with, or why it was cancelled. */
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
