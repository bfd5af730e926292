package io.millrace.streams.engine.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A task that is kept back for a moment, as the thread that gives it may be about to wait for its result: that thread runs it then, and nothing
 * has to go to another thread and back. It is what a join does in a fork-join pool (D. Lea, "A Java Fork/Join Framework", 2000). If nobody waits, the monitor has
 * a worker run it.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code task}: written by who gives it, and by the helper if it is to go on; taken by exchange, by the one who runs it. {@code pool}:
 * written before the task. {@code helper}: written by the helping thread.<br>
 * <b>States</b>: empty -> waiting by {@link #hold}; waiting -> taken by who helps, by {@link #submit} or by the monitor; taken -> waiting by the
 * helper, if the task is not done with one turn.<br>
 * <b>Proved by</b>: HelpingTest.
 */
public final class DeferredTask {
    private static final VarHandle TASK;
    private static final VarHandle HELPER;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(DeferredTask.class, "task", Runnable.class);
            HELPER = MethodHandles.lookup().findVarHandle(DeferredTask.class, "helper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable WorkerPool pool;
    private volatile @Nullable Runnable task;
    private volatile @Nullable Thread helper;

    /** Keeps the task, for this pool; one that was kept before is submitted: a graph may give the result of another stream as its own. */
    void hold(WorkerPool owner, Runnable held) {
        submit();
        pool = owner;
        TASK.setRelease(this, held); // who gives it puts it where others find it next
    }

    private @Nullable Runnable take() {
        return task == null ? null : (Runnable) TASK.getAndSet(this, (Runnable) null);
    }

    /** Hands the task to the pool, if it still waits; whether it did. */
    public boolean submit() {
        Runnable taken = take();
        WorkerPool owner = pool;
        if (taken == null || owner == null) {
            return false;
        }
        owner.submit(taken);
        return true;
    }

    /** Runs the task here, if it still waits, until it is done or this future, for which the calling thread is about to wait. */
    void help(CompletableFuture<?> awaited) {
        Thread here = Thread.currentThread();
        if (here.isInterrupted()) { // which is meant for the wait, not for the functions of a stream
            submit();
            return;
        }
        Runnable next = take();
        if (next == null) {
            return;
        }
        HELPER.setRelease(this, here);
        try {
            while (next != null) {
                run(next);
                next = awaited.isDone() ? null : take();
            }
        } finally {
            HELPER.setRelease(this, null); // no fence: who interrupts may be too late as it is
            submit();
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
        if (helper != Thread.currentThread()) {
            return false;
        }
        task = unfinished;
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
