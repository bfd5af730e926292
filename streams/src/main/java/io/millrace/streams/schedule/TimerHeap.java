package io.millrace.streams.schedule;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A four-ary heap of tasks by deadline, then by the order in which they came; one thread owns it. */
final class TimerHeap {
    private final Slots slots = new Slots();
    private int size;
    private int lastSequence;

    TimerHeap() {
        this(0);
    }

    /** An empty heap that has numbered tasks up to here. */
    TimerHeap(int lastSequence) {
        this.lastSequence = lastSequence;
    }

    int size() {
        return size;
    }

    /** Adds a task and numbers it. */
    void add(Task task) {
        lastSequence = (lastSequence + 1) & Integer.MAX_VALUE;
        task.sequence = lastSequence;
        if (size == slots.length()) {
            slots.grow();
        }
        siftUp(size++, task);
    }

    /** The task that is due first, or null. */
    @Nullable
    Task first() {
        return size == 0 ? null : at(0);
    }

    /** Takes the task that is due first; only when there is one. */
    void removeFirst() {
        Task last = at(--size);
        slots.set(size, null);
        if (size > 0) {
            siftDown(0, last);
        }
        shrinkIfSparse();
    }

    /** Throws out the tasks that were cancelled, telling the listener each, in time linear in the heap. */
    void compact(Consumer<Task> removed) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Task task = at(i);
            if (task.isOver()) {
                removed.accept(task);
            } else {
                slots.set(kept++, task);
            }
        }
        for (int i = kept; i < size; i++) {
            slots.set(i, null);
        }
        size = kept;
        for (int i = (size - 2) >> 2; i >= 0 && size > 1; i--) {
            siftDown(i, at(i));
        }
        shrinkIfSparse();
    }

    /** Takes all tasks out, in no order, in time linear in the heap. */
    void drain(Consumer<Task> taken) {
        while (size > 0) {
            Task last = at(--size);
            slots.set(size, null);
            taken.accept(last);
        }
        shrinkIfSparse();
    }

    private void shrinkIfSparse() {
        while (slots.isSparse(size)) {
            slots.shrink();
        }
    }

    private void siftUp(int start, Task task) {
        int index = start;
        while (index > 0) {
            int parent = (index - 1) >> 2;
            if (!isBefore(task, at(parent))) {
                break;
            }
            slots.set(index, at(parent));
            index = parent;
        }
        slots.set(index, task);
    }

    private void siftDown(int start, Task task) {
        int index = start;
        for (int child = firstChild(index); child < size; child = firstChild(index)) {
            int least = leastOf(child, Math.min(child + 4, size));
            if (!isBefore(at(least), task)) {
                break;
            }
            slots.set(index, at(least));
            index = least;
        }
        slots.set(index, task);
    }

    private int leastOf(int from, int end) {
        int least = from;
        for (int i = from + 1; i < end; i++) {
            if (isBefore(at(i), at(least))) {
                least = i;
            }
        }
        return least;
    }

    @SuppressWarnings("NullAway") // every cell below size holds a task
    private Task at(int index) {
        return (Task) slots.get(index);
    }

    private static int firstChild(int index) {
        return (index << 2) + 1;
    }

    private static boolean isBefore(Task a, Task b) {
        long apart = a.deadlineNanos - b.deadlineNanos;
        return apart != 0 ? apart < 0 : isNumberedBefore(a, b);
    }

    /** Numbers begin again after 2^31 tasks; of two, the one that comes first on the shorter way round is the earlier. */
    private static boolean isNumberedBefore(Task a, Task b) {
        return (a.sequence - b.sequence) << 1 < 0;
    }
}
