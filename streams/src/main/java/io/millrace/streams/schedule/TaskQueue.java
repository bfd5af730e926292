package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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

    /** Adds a task at the end; any thread. */
    void push(Task task) {
        NEXT.setOpaque(task, null);
        Task previous = (Task) TAIL.getAndSet(this, task);
        NEXT.setRelease(previous, task);
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
        NEXT.setOpaque(first, null); // or whoever keeps its handle would keep all that come after it
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
