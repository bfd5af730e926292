package io.millrace.streams.schedule;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workers over an executor, with one event loop for their timers.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code open}, volatile, replaced under the lock by start. <b>States:</b>
 * running -> shut down -> running with a new loop and, where the scheduler made it, a new executor.
 */
final class ExecutorScheduler extends LaneScheduler {
    private record Open(Executor executor, EventLoop timers) {}

    private final ThreadFactory timerThreads;
    private final Supplier<? extends Executor> executors;
    private final boolean ownsExecutor;
    private final boolean interrupts;
    private volatile Open open;

    private ExecutorScheduler(Supplier<? extends Executor> executors, boolean ownsExecutor, boolean interrupts) {
        this.timerThreads = new LoopThreads("millrace-timer");
        this.executors = executors;
        this.ownsExecutor = ownsExecutor;
        this.interrupts = interrupts;
        this.open = new Open(executors.get(), new EventLoop(timerThreads));
    }

    /** Over somebody else's executor, which a shutdown leaves alone. */
    static ExecutorScheduler borrowing(Executor executor, boolean interrupts) {
        return new ExecutorScheduler(() -> executor, false, interrupts);
    }

    /** Over executors of its own, made at each start and shut down with the scheduler. */
    static ExecutorScheduler owning(Supplier<ExecutorService> executors, boolean interrupts) {
        return new ExecutorScheduler(executors, true, interrupts);
    }

    @Override
    Lane laneForSingleTask() {
        Open current = open;
        return new ExecutorLane(current.executor, current.timers, interrupts);
    }

    @Override
    public Worker createWorker() {
        return laneForSingleTask();
    }

    @Override
    public synchronized void start() {
        if (open.timers.isClosed()) {
            open = new Open(executors.get(), new EventLoop(timerThreads));
        }
    }

    @Override
    public synchronized void shutdown() {
        open.timers.close();
        @Nullable ExecutorService own = ownsExecutor ? (ExecutorService) open.executor : null;
        if (own != null) {
            own.shutdown();
        }
    }
}
