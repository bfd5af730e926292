package io.millrace.streams.engine;

import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A runtime's threads for stages that block: virtual ones where there are any, else as many as there is work. Made when
 * first used.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code threads}, {@code running} and {@code closed}, under the monitor.<br>
 * <b>States</b>: unused -> used -> closed, or unused -> closed.<br>
 * <b>Proved by</b>: PathTest, LostTurnsTest.
 */
final class BlockingWorkers implements Executor {
    private final Set<Turn> running = new HashSet<>();
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
        threads.schedule(new Turn(task));
    }

    /** Interrupts the threads that are running something. */
    synchronized void interrupt() {
        running.forEach(Turn::interrupt);
    }

    private synchronized void add(Turn turn) {
        running.add(turn);
    }

    /** The turn is interrupted no more after this. */
    private synchronized void remove(Turn turn) {
        running.remove(turn);
    }

    /** Ends the threads; the islands whose turn has not come are told, on these threads, so that they end there, too. */
    synchronized void close() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
    }

    /** A task and, while it runs, its thread. */
    private final class Turn implements DroppableTask {
        private final Runnable task;
        private @Nullable Thread thread;

        Turn(Runnable task) {
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
            add(this);
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
