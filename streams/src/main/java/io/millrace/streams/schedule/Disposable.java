package io.millrace.streams.schedule;

/** Something that can be stopped once, from any thread; stopping it again does nothing. */
public interface Disposable {
    /** Stops it; never blocks and never throws. */
    void dispose();

    /** Whether it was stopped, or, for a task, whether it has nothing left to run. */
    boolean isDisposed();

    /** One that was stopped before anybody had it: the answer of a disposed worker to a new task. */
    static Disposable disposed() {
        return AlreadyDisposed.ALREADY_DISPOSED;
    }
}
