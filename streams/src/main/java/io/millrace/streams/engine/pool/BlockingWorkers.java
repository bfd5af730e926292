package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A runtime's threads for stages that block, made when first used: virtual ones where there are any, else as many as there
 * are tasks.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code threads}, {@code running} and {@code closed}, under the lock of this object.<br>
 * <b>States</b>: unused -> used -> closed, or unused -> closed.<br>
 * <b>Proved by</b>: PathTest, LostTurnsTest.
 */
public final class BlockingWorkers implements TaskExecutor {
    private final Set<InterruptibleTask> running = new HashSet<>();
    private @Nullable Scheduler threads;
    private boolean closed;

    @Override
    public synchronized void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("the blocking workers are closed");
        }
        if (threads == null) {
            threads = Schedulers.elastic();
        }
        threads.schedule(new InterruptibleTask(task));
    }

    @Override
    public boolean mightRunInPlace() {
        return false;
    }

    /** Interrupts the threads that are running something. */
    public synchronized void interrupt() {
        running.forEach(InterruptibleTask::interrupt);
    }

    private synchronized void add(InterruptibleTask task) {
        running.add(task);
    }

    /** The task is interrupted no more after this. */
    private synchronized void remove(InterruptibleTask task) {
        running.remove(task);
    }

    /** Ends the threads. Tasks that wait for one are told on these threads that they are dropped. */
    public synchronized void close() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
    }

    /** A task and, while it runs, its thread. */
    private final class InterruptibleTask implements DroppableTask {
        private final Runnable task;
        private @Nullable Thread thread;

        InterruptibleTask(Runnable task) {
            this.task = task;
        }

        void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            try {
                add(this);
            } finally { // a task runs also where there is no memory to note it
                runNoted();
            }
        }

        private void runNoted() {
            try {
                task.run();
            } finally {
                remove(this);
            }
        }

        @Override
        public void dropped() {
            if (task instanceof DroppableTask droppable) {
                droppable.dropped();
            }
        }
    }
}
