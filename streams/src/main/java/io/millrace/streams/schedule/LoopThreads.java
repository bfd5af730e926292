package io.millrace.streams.schedule;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the threads of event loops, with numbered names. */
final class LoopThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    LoopThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        return new LoopThread(task, prefix + "-" + made.incrementAndGet());
    }

    private static final class LoopThread extends NonBlockingThread {
        LoopThread(Runnable task, String name) {
            super(task, name, EventLoop.class);
        }
    }
}
