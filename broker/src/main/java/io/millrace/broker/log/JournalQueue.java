package io.millrace.broker.log;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue of many producers and one consumer, which parks when there is nothing to do and is woken at most once per
 * park.
 *
 * <p><b>Threads</b>: anyone offers, the consumer polls and waits. <b>Shared</b>: the queue; {@code parked}, volatile,
 * set by the consumer before it looks a last time and cleared by the producer that wakes it, so an element is either
 * seen by that look or its producer sees {@code parked}; {@code refusal}, volatile, set before the queue is emptied for
 * the last time, so an element is either taken out there or its producer sees {@code refusal} and takes it back.
 * <b>States</b>: awake -> parked when empty, by the consumer; parked -> awake when something was offered, by a
 * producer, or by the consumer; any -> ended by {@link #end}, after the consumer's last poll. <b>Proved by</b>:
 * GroupCommitTest, JournalQueueTest.
 */
final class JournalQueue<T> {
    private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread parked;
    private volatile @Nullable Consumer<T> refusal;

    void offer(T item) {
        queue.add(item);
        wake();
        Consumer<T> refuse = refusal;
        if (refuse != null && queue.remove(item)) {
            refuse.accept(item);
        }
    }

    /** The consumer takes no more: every item that is queued, now or later, is refused, each by one thread. */
    void end(Consumer<T> refuse) {
        refusal = refuse;
        for (T item = queue.poll(); item != null; item = queue.poll()) {
            refuse.accept(item);
        }
    }

    /** Adds an item without waking the consumer: it sees the item when it is next woken. */
    void offerQuietly(T item) {
        queue.add(item);
    }

    private void wake() {
        Thread consumer = parked;
        if (consumer != null) {
            parked = null;
            LockSupport.unpark(consumer);
        }
    }

    @Nullable
    T peek() {
        return queue.peek();
    }

    @Nullable
    T poll() {
        return queue.poll();
    }

    /** Removes all items that the consumer wants removed, wherever they are in the queue. */
    void removeIf(Predicate<T> unwanted) {
        queue.removeIf(unwanted);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Parks until something is offered or the time is over; may return early. */
    void await(long timeoutNanos) {
        parked = Thread.currentThread();
        if (queue.isEmpty()) {
            LockSupport.parkNanos(this, timeoutNanos);
        }
        parked = null;
    }
}
