package io.millrace.streams.engine.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A worker's place for one task that runs after the present one, on the same thread: what it reads is in that processor's cache, and
 * no thread is woken. Each task may put one here. It is as large as two cache lines, so that two workers' slots never share one.
 *
 * <p><b>Threads</b>: the worker puts and takes; the monitor steals.<br>
 * <b>Owned</b>: {@code isUsed}, by the worker.<br>
 * <b>Shared</b>: {@code task}: written by the worker while it is empty; whoever empties it by exchange has the task. {@code
 * putCount}: written by the worker before {@code task}, read by the monitor without a fence: a count that is too old makes it steal
 * a millisecond too early.<br>
 * <b>States</b>: empty -> full by the worker; full -> empty by the worker or by the monitor.<br>
 * <b>Proved by</b>: RunNextSlotTest, TakeAndSteal.
 */
final class RunNextSlot {
    private static final VarHandle TASK;

    static {
        try {
            TASK = MethodHandles.lookup().findVarHandle(RunNextSlot.class, "task", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Runnable task;
    private int putCount;
    private boolean isUsed;

    @SuppressWarnings("UnusedVariable") // distance to the next slot
    private long d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15;

    // ----------------------------------------------------------------------------------------------- the worker

    /** A new task begins, and may put one here. */
    void open() {
        isUsed = false;
    }

    /** Puts a task here; false if the running task has done so before. */
    boolean put(Runnable next) {
        if (isUsed) {
            return false;
        }
        isUsed = true;
        putCount++;
        task = next;
        return true;
    }

    /** Takes the task, or null if there is none or it was stolen. */
    @Nullable
    Runnable take() {
        return task == null ? null : (Runnable) TASK.getAndSet(this, null);
    }

    // ---------------------------------------------------------------------------------------------- the monitor

    /** How many tasks were put here. */
    int putCount() {
        return putCount;
    }

    @Nullable
    Runnable peek() {
        return task;
    }

    /** Takes this task from the worker; false if that has taken it. */
    boolean steal(Runnable seen) {
        return TASK.compareAndSet(this, seen, null);
    }
}
