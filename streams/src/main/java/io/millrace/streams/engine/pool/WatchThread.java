package io.millrace.streams.engine.pool;

/**
 * A daemon thread that watches others. No stage may hold it up: what an executor might run on the calling thread is given to it by another thread, when this one would
 * give it.
 */
public final class WatchThread extends Thread {
    public WatchThread(String name, Runnable task) {
        super(task, name);
        setDaemon(true);
    }

    /** Whether the calling thread is one. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof WatchThread;
    }
}
