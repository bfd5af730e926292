package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.DroppableTask;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task on an executor of the user's, which may run it on the calling thread, always or at times. Where it does so while the task's
 * own run is on that thread's stack, the task is run again after that one, not within it: the stack stays as deep however often the task
 * gives itself.
 *
 * <p><b>Threads</b>: any gives the task; the executor's run it, and one may still leave its run when the next one has entered its own.<br>
 * <b>Owned</b>: a {@code Run}, by its thread.<br>
 * <b>Shared</b>: {@code task}, written before it is first given, handed on by the executor. {@code latest}, plain: a thread looks there for a run of its own,
 * which it has written itself, or takes one that has ended, which its last thread does not touch any more. If another's has replaced it, the executor has run the task elsewhere meanwhile; then one run nests in the other.<br>
 * <b>Proved by</b>: InPlaceExecutorTest, FullHeapTurnsTest.
 */
final class TrampolineExecutor implements TaskExecutor, DroppableTask {
    private final Executor executor;
    private @Nullable Runnable task;
    private Run latest = new Run();

    TrampolineExecutor(Executor executor) {
        this.executor = executor;
    }

    /** A run of the task, from when it enters until it leaves. */
    private static final class Run {
        private @Nullable Thread thread;
        private boolean again;
    }

    @Override
    public void execute(Runnable given) {
        if (task == null) {
            task = given;
        }
        executor.execute(this);
    }

    @Override
    public void run() {
        Run around = latest;
        if (around.thread == Thread.currentThread()) {
            around.again = true;
            return;
        }
        Runnable running = task;
        if (running != null) {
            run(running);
        }
    }

    private void run(Runnable running) {
        Run own = latest;
        if (own.thread != null) { // another thread may still leave it
            own = new Run();
            latest = own;
        }
        own.thread = Thread.currentThread();
        try {
            do {
                own.again = false;
                running.run();
            } while (own.again);
        } finally {
            own.thread = null;
        }
    }

    @Override
    public void dropped() {
        if (task instanceof DroppableTask droppable) {
            droppable.dropped();
        }
    }
}
