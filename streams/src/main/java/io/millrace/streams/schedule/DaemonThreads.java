package io.millrace.streams.schedule;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes daemon threads with numbered names. */
final class DaemonThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    DaemonThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, prefix + "-" + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
