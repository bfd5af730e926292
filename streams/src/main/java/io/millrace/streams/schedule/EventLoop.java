package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thread that runs immediate tasks from a queue and keeps the timers of its lanes.
 *
 * <p>Each turn appends the timers that are due to their lanes' queues and then runs at most {@link #TURN_TASKS}
 * tasks, so neither kind starves the other. The thread starts with the first task.
 *
 * <p>A new timer's deadline is set by who schedules it; but while the loop does nothing but put timers in place, one
 * reading of the clock there does for all that wait in the queue. Such a timer is late by what the loop may have begun
 * to run at that very moment, never early.
 *
 * <p><b>Threads:</b> anyone submits, cancels and closes; the loop's thread does the rest.
 *
 * <p><b>Owned:</b> the heap, the lanes' timer lists, {@code lastBefore}, {@code beforeNanos}, by the loop's thread.
 *
 * <p><b>Shared:</b> {@code queue}; {@code state}, volatile, compare-and-set by submitters after they pushed and
 * written by the loop before it looks at the queue a last time; {@code cancelled}, a count added to by anyone;
 * {@code cancelledElsewhere}, volatile, how many of these no compaction finds, as they are due and wait for their lanes: written by the loop
 * as it compacts, lowered by who cancels once fewer are left, a hint; {@code timerCount}, volatile, written by the loop; {@code arming}, the same, a hint to who schedules.
 *
 * <p><b>States:</b> NEW -> RUNNING by the first submitter, which starts the thread, and back if that fails, after it has
 * refused what was queued meanwhile, for which it is the consumer until then; RUNNING ->
 * PARKED by the loop; PARKED -> RUNNING by a submitter, which unparks, or by the loop when the time is over. {@code closed}
 * is set once.
 *
 * <p><b>Proved by:</b> SchedulerRaceTest, ShutdownTest.
 */
final class EventLoop {
    static final int TURN_TASKS = 256;

    private static final int FEWEST_CANCELLED_TO_COMPACT = 64;
    private static final int NEW = 0;
    private static final int RUNNING = 1;
    private static final int PARKED = 2;
    private static final VarHandle STATE;
    private static final VarHandle CANCELLED;
    private static final VarHandle COMPACTING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(EventLoop.class, "state", int.class);
            CANCELLED = lookup.findVarHandle(EventLoop.class, "cancelled", int.class);
            COMPACTING = lookup.findVarHandle(EventLoop.class, "compacting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ThreadFactory threads;
    private final LoopLane ownLane = new LoopLane(this, false);
    private final TaskQueue queue = new TaskQueue(ownLane);
    private final Predicate<Task> taker = this::take;
    private final TimerHeap timers = new TimerHeap();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;
    private volatile int timerCount;
    private volatile boolean arming;
    private volatile int state = NEW;
    private @Nullable Task lastBefore;
    private long beforeNanos = System.nanoTime();

    @SuppressWarnings("UnusedVariable") // used through its handle
    private volatile int cancelled;

    private volatile int cancelledElsewhere;
    private volatile boolean compacting;

    EventLoop(ThreadFactory threads) {
        this.threads = threads;
    }

    /** The lane of single tasks that have no worker. */
    Lane ownLane() {
        return ownLane;
    }

    boolean isClosed() {
        return closed;
    }

    /** How many timers the heap holds, cancelled ones included. */
    int timerCount() {
        return timerCount;
    }

    /** Whether it is putting timers in place and so reads the clock for those that come now itself, soon. */
    boolean isArming() {
        return arming;
    }

    /** Queues a task: to run, or to be put among the timers when it still waits for its deadline. */
    void submit(Task task) {
        if (closed) {
            throw new RejectedExecutionException("the scheduler is shut down");
        }
        if (task.sequence < 0 && Thread.currentThread() == thread) {
            arm(task, task.startsWhenArmed() ? System.nanoTime() : beforeNanos);
            timerCount = timers.size();
            return;
        }
        queue.push(task);
        wake(task);
        if (closed) {
            task.discard();
        }
    }

    /** Counts a cancelled timer and has the heap compacted once more than half of it is cancelled. */
    void countCancelled(int tasks) {
        int before = (int) CANCELLED.getAndAdd(this, tasks);
        int elsewhere = cancelledElsewhere;
        if (before < elsewhere) {
            elsewhere = Math.max(0, before);
            cancelledElsewhere = elsewhere;
        }
        int inHeap = before + tasks - elsewhere;
        if (inHeap >= FEWEST_CANCELLED_TO_COMPACT && inHeap > timerCount >> 1) {
            compactSoon();
        }
    }

    void countDropped() {
        CANCELLED.getAndAdd(this, -1);
    }

    private void compactSoon() {
        if (closed || compacting) {
            return;
        }
        Task compaction = new Task(ownLane, this::compact, Task.NO_DEADLINE); // first, as memory may be short
        if (COMPACTING.compareAndSet(this, false, true)) {
            queue.push(compaction);
            wake(compaction);
        }
    }

    /** Has the timers of a disposed lane cancelled on the loop's thread. */
    void forget(Lane lane) {
        if (!closed) {
            Task forgetting = new Task(ownLane, () -> countCancelled(lane.dropTimers()), Task.NO_DEADLINE);
            queue.push(forgetting);
            wake(forgetting);
        }
    }

    /** Drops all tasks and lets the thread end once the running task returns. */
    void close() {
        closed = true;
        if (state != NEW) {
            wake(null);
        }
    }

    /** Wakes the thread, or starts it; throws when that fails, and leaves the caller's task, which is queued no more, to it. */
    private void wake(@Nullable Task own) {
        int seen = state;
        if (seen == PARKED) {
            if (STATE.compareAndSet(this, PARKED, RUNNING)) {
                LockSupport.unpark(thread);
            }
        } else if (seen == NEW && STATE.compareAndSet(this, NEW, RUNNING)) {
            start(own);
        }
    }

    private void start(@Nullable Task own) {
        try {
            Thread made = threads.newThread(this::turns);
            thread = made;
            made.start();
        } catch (RuntimeException | Error notStarted) {
            refuseQueued(own, notStarted);
            throw notStarted;
        }
    }

    /** Cancels and reports what others queued behind a start that has failed: nobody would run it. */
    private void refuseQueued(@Nullable Task own, Throwable notStarted) {
        boolean others = false;
        do {
            for (Task task = queue.poll(); task != null; task = queue.poll()) {
                if (task != own) {
                    others |= !task.isOver();
                    task.discard();
                    task.lane.dropped(task);
                }
            }
            compacting = false;
            state = NEW;
        } while (!queue.isEmpty() && STATE.compareAndSet(this, NEW, RUNNING));
        if (others) {
            ownLane.report(notStarted);
        }
    }

    private void turns() {
        thread = Thread.currentThread();
        try {
            while (!closed) {
                guardedTurn();
            }
        } finally {
            closed = true;
            discardAll();
        }
    }

    /** What is thrown outside a task, as where memory is short, must not end the thread: others would wait for it in silence. */
    private void guardedTurn() {
        try {
            turn();
        } catch (Throwable thrown) {
            Uncaught.report(thrown);
        }
    }

    private void turn() {
        appendDue();
        boolean ranSome = queue.drain(TURN_TASKS, taker) > 0;
        endArming();
        if (!ranSome) {
            park();
        }
    }

    /** Runs or arms a task; false when that was the last one. */
    private boolean take(Task task) {
        if (task.sequence < 0) {
            armQueued(task);
        } else {
            endArming();
            task.run();
            clearInterrupt();
        }
        return !closed;
    }

    /** One reading of the clock does for all timers that were in the queue before it. */
    private void armQueued(Task task) {
        if (!arming) {
            arming = true;
            lastBefore = null;
        }
        if (lastBefore == null && task.startsWhenArmed()) {
            lastBefore = queue.last();
            beforeNanos = System.nanoTime();
        }
        if (task == lastBefore) {
            lastBefore = null;
        }
        try {
            arm(task, beforeNanos);
        } catch (RuntimeException | Error failed) {
            giveUp(task, failed);
        }
    }

    private void endArming() {
        if (arming) {
            arming = false;
            timerCount = timers.size();
        }
    }

    /** Puts a timer in place; what it throws leaves it in none, to the caller. */
    private void arm(Task task, long earliestStartNanos) {
        if (task.lane.isDisposed()) {
            task.discard();
        }
        if (task.isOver()) {
            countDropped();
            return;
        }
        task.setDeadline(earliestStartNanos);
        task.lane.timers().addTimer(task);
        boolean added = false;
        try {
            timers.add(task);
            added = true;
        } finally {
            if (!added) {
                task.lane.timers().remove(task);
            }
        }
    }

    /** Cancels a timer that can go no further, and reports why. */
    private void giveUp(Task timer, Throwable cause) {
        timer.discard();
        countDropped();
        timer.lane.report(cause);
    }

    private void appendDue() {
        Task first = timers.first();
        if (first == null) {
            return;
        }
        long now = System.nanoTime();
        while (first != null && !closed && first.deadlineNanos - now <= 0) {
            timers.removeFirst();
            first.lane.timers().remove(first);
            append(first);
            first = timers.first();
        }
        timerCount = timers.size();
    }

    private void append(Task due) {
        if (due.isOver()) {
            countDropped();
            return;
        }
        due.sequence = 0;
        try {
            due.lane.runSoon(due);
        } catch (RuntimeException | Error refused) {
            giveUp(due, refused);
        }
    }

    private void compact() {
        compacting = false;
        int before = cancelled;
        int size = timers.size();
        timers.compact(task -> {
            task.lane.timers().remove(task);
            countDropped();
        });
        timerCount = timers.size();
        cancelledElsewhere = Math.max(0, before - (size - timerCount));
    }

    private void park() {
        state = PARKED;
        Task first = timers.first();
        if (queue.isEmpty() && !closed) {
            if (first == null) {
                LockSupport.park(this);
            } else {
                long waitNanos = first.deadlineNanos - System.nanoTime();
                if (waitNanos > 0) {
                    LockSupport.parkNanos(this, waitNanos);
                }
            }
            clearInterrupt();
        }
        state = RUNNING;
    }

    /** A loop that kept an interrupt would spin instead of parking, and the next task would see it. */
    private static void clearInterrupt() {
        if (Thread.interrupted()) {
            Thread.onSpinWait();
        }
    }

    private void discardAll() {
        for (Task task = queue.poll(); task != null; task = queue.poll()) {
            task.discard();
        }
        timers.drain(task -> {
            task.lane.timers().remove(task);
            task.discard();
        });
        timerCount = 0;
    }
}
