package io.millrace.streams.engine.pool;

import io.millrace.streams.stage.StageScope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A task that is kept back for a moment, as the thread that gives it may be about to wait for its result: that thread runs it then, and nothing
 * has to go to another thread and back. It is what a join does in a fork-join pool (D. Lea, "A Java Fork/Join Framework", 2000). If nobody waits, the monitor has
 * a worker run it.
 *
 * <p><b>Threads</b>: any; its maker alone gives it a task, once. Whoever else has one for the same result has that run at once.<br>
 * <b>Owned</b>: {@code isUsed}, by its maker.<br>
 * <b>Shared</b>: {@code task}: written by its maker, and by the helper if it is to go on; taken by exchange, by the one who runs it. {@code pool},
 * {@code shown}: written before the task; {@code shown} is cleared by who has taken it, after it has been told so unless it has ended. {@code helper}: written by the
 * helping thread.<br>
 * <b>States</b>: empty -> waiting by {@link #hold}; waiting -> taken by who helps, by {@link #submit} or by the monitor; taken -> waiting by the
 * helper, if the task is not done with one turn.<br>
 * <b>Proved by</b>: HelpingTest, DeferredTasksTest.
 */
public final class DeferredTask {
    private static final VarHandle TASK;
    private static final VarHandle HELPER;
    private static final VarHandle SHOWN;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(DeferredTask.class, "task", Deferrable.class);
            HELPER = MethodHandles.lookup().findVarHandle(DeferredTask.class, "helper", Thread.class);
            SHOWN = MethodHandles.lookup().findVarHandle(DeferredTask.class, "shown", Deferrable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long makerId = Thread.currentThread().getId();
    private boolean isUsed;
    private @Nullable WorkerPool pool;
    private volatile @Nullable Deferrable task;
    private volatile @Nullable Thread helper;
    private volatile @Nullable Deferrable shown;

    /** Keeps the task, for this pool; false if another was kept before, or might be: a graph may give the result of another stream as its own. */
    boolean hold(WorkerPool owner, Deferrable held) {
        if (isUsed || makerId != Thread.currentThread().getId()) {
            return false;
        }
        isUsed = true;
        pool = owner;
        SHOWN.set(this, held);
        TASK.setRelease(this, held); // who gives it puts it where others find it next
        return true;
    }

    private @Nullable Deferrable take() {
        return task == null ? null : (Deferrable) TASK.getAndSet(this, (Deferrable) null);
    }

    /** Hands the task to the pool, if it still waits; whether it did. A pool that takes none has it refused: who calls may not be who gave it. */
    public boolean submit() {
        Deferrable taken = take();
        WorkerPool owner = pool;
        if (taken == null || owner == null) {
            return false;
        }
        taken.noLongerDeferred();
        SHOWN.setRelease(this, null);
        try {
            owner.submit(taken);
        } catch (RuntimeException | Error e) {
            taken.refused(e);
        }
        return true;
    }

    /** The task, while it waits or is run by who helps. */
    @Nullable
    Deferrable shown() {
        return shown;
    }

    /** Shows the task no more, which has not ended. */
    void hide() {
        Deferrable unfinished = shown;
        if (unfinished != null) {
            unfinished.noLongerDeferred();
            SHOWN.setRelease(this, null);
        }
    }

    /**
     * Runs the task here, if it still waits, until it is done or this future, for which the calling thread is about to wait. What is left once
     * that thread is interrupted goes to the pool.
     */
    void help(CompletableFuture<?> awaited) {
        Thread here = Thread.currentThread();
        boolean isStage = StageScope.current() != null; // its worker would not look at the queue after a turn
        if (isStage || here.isInterrupted()) { // which is meant for the wait, not for the functions of a stream
            submit();
            return;
        }
        Deferrable next = take();
        if (next == null) {
            return;
        }
        HELPER.setRelease(this, here);
        try {
            while (next != null) {
                run(next);
                next = awaited.isDone() || here.isInterrupted() ? null : take();
            }
        } finally {
            HELPER.setRelease(this, null); // no fence: who interrupts may be too late as it is
            submit();
            SHOWN.setRelease(this, null); // it has ended, or says itself that it goes on elsewhere
        }
    }

    private static void run(Runnable taken) {
        try {
            taken.run();
        } catch (Throwable t) {
            UncaughtFailures.report(t);
        }
    }

    /** Keeps the task again, which has had a turn and wants another, if it has it from here; whether it does. */
    boolean holdAgain(Runnable unfinished) {
        if (helper != Thread.currentThread() || !(unfinished instanceof Deferrable deferrable)) {
            return false;
        }
        task = deferrable;
        return true;
    }

    boolean isHelped() {
        return helper != null;
    }

    /** Interrupts who helps. */
    void interrupt() {
        Thread helping = helper;
        if (helping != null) {
            helping.interrupt();
        }
    }
}
