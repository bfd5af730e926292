package io.millrace.broker.memory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The process's handler of uncaught errors for the time of a test: it keeps what it is told. */
public final class ToldErrors implements AutoCloseable {
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final Queue<Throwable> told = new ConcurrentLinkedQueue<>();

    public ToldErrors() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told.add(failure));
    }

    public Queue<Throwable> told() {
        return told;
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }
}
