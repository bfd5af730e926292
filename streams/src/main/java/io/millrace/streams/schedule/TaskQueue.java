package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue of tasks linked through the tasks themselves, many producers, one consumer.
 *
 * <p>Dmitry Vyukov's intrusive multi-producer queue with a stub node; a taken task is free at once, so it can be
 * queued again, and leads to no other. Difference: a consumer that meets a half-linked node spins until its producer has linked it.
 *
 * <p><b>Threads:</b> anyone pushes, one consumer at a time polls. <b>Owned:</b> {@code head} by the consumer.
 * <b>Shared:</b> {@code tail}, exchanged by producers; {@code Task.next}, set with release by the producer of the
 * following task, read with acquire by the consumer. <b>Proved by:</b> SchedulerRaceTest.
 */
final class TaskQueue {
    private static final VarHandle TAIL;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(TaskQueue.class, "tail", Task.class);
            NEXT = lookup.findVarHandle(Task.class, "next", Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Task stub;
    private Task head;
    private volatile Task tail;

    TaskQueue(Lane owner) {
        this.stub = new Task(owner, () -> {}, Task.NO_DEADLINE);
        this.head = stub;
        this.tail = stub;
    }

    /** Adds a task that is in no queue at the end; any thread. */
    void push(Task task) {
        Task previous = (Task) TAIL.getAndSet(this, task);
        NEXT.setRelease(previous, task);
    }

    /**
     * Takes tasks in their order, at most so many, until there is none or the taker says that it wants no more; the consumer only.
     * Returns how many it took. Meanwhile neither the head is written, which costs a fence once the queue is an old object, nor
     * anything read that shares a cache line with what producers write.
     */
    int drain(int most, Predicate<Task> taker) {
        Task none = stub;
        Task first = head;
        int taken = 0;
        try {
            while (taken < most) {
                Task task = first;
                Task second = task == none ? null : nextAcquire(task);
                if (second == null) {
                    head = first;
                    task = poll();
                    second = head;
                } else {
                    unlink(task);
                }
                first = second;
                if (task == null) {
                    return taken;
                }
                taken++;
                if (!taker.test(task)) {
                    return taken;
                }
            }
            return taken;
        } finally {
            head = first;
        }
    }

    /** Takes the first task, or null; the consumer only. */
    @Nullable
    Task poll() {
        Task first = head;
        Task second = nextAcquire(first);
        if (first == stub) {
            if (second == null) {
                if (tail == stub) {
                    return null;
                }
                second = awaitNext(first);
            }
            head = second;
            unlink(first);
            first = second;
            second = nextAcquire(first);
        }
        if (second == null) {
            if (tail == first) {
                push(stub);
            }
            second = awaitNext(first);
        }
        head = second;
        unlink(first);
        return first;
    }

    /** The task that was added last if it may still be queued; the consumer only. */
    @Nullable
    Task last() {
        Task last = tail;
        return last == stub ? null : last;
    }

    /** Whether nothing is queued; exact when the consumer asks. */
    boolean isEmpty() {
        return head == stub && tail == stub;
    }

    /** Or whoever keeps the handle of a task that was taken would keep all that come after it; nor does a queue clear it. */
    private static void unlink(Task taken) {
        NEXT.setOpaque(taken, null);
    }

    private static Task awaitNext(Task task) {
        Task following = nextAcquire(task);
        while (following == null) {
            Thread.onSpinWait();
            following = nextAcquire(task);
        }
        return following;
    }

    private static @Nullable Task nextAcquire(Task task) {
        return (Task) NEXT.getAcquire(task);
    }
}
