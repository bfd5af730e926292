package io.millrace.streams.engine.pool;

/** A task that may be deferred. While it is, {@link Dispatcher#deferred} shows it, so that nobody else has to keep an eye on it. */
public interface Deferrable extends Runnable {
    /** It goes on, or begins, where that does not show it any more; perhaps said more than once, by any thread. */
    void noLongerDeferred();

    /** There is no thread that would run it; perhaps said more than once, by any thread. */
    void refused(Throwable refusal);
}
