package io.millrace.streams;

import io.millrace.streams.stage.AsyncCallback;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The way into a running stream for elements from any thread.
 *
 * <p><b>Threads</b>: any thread offers and ends; the stage takes out.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code size}: counted up by who offers before the element is sent, down by the stage when the element
 * has left, so it is never less than what is queued; {@code closed}: set once by who ends it, or by the stage.<br>
 * <b>States</b>: open -> closed, once.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
public final class SourceQueue<T> {
    private final int capacity;
    private final AsyncCallback<SourceQueue.Message<T>> toStage;
    private final AtomicInteger size = new AtomicInteger();
    private volatile boolean closed;

    SourceQueue(int capacity, AsyncCallback<Message<T>> toStage) {
        this.capacity = capacity;
        this.toStage = toStage;
    }

    /** What became of an element that was offered. */
    public enum Offer {
        /** It is in the queue. */
        ENQUEUED,
        /** It was refused because the queue is full. */
        FULL,
        /** It was refused because the queue or the stream has ended. */
        CLOSED
    }

    /** An element, or the end: without an element. */
    record Message<T>(@Nullable T element, @Nullable Throwable failure) {}

    /** Puts an element into the queue if there is room; never blocks. */
    public Offer offer(T element) {
        Objects.requireNonNull(element, "element");
        int seen;
        do {
            if (closed) {
                return Offer.CLOSED;
            }
            seen = size.get();
            if (seen >= capacity) {
                return Offer.FULL;
            }
        } while (!size.compareAndSet(seen, seen + 1));
        toStage.invoke(new Message<>(element, null));
        return Offer.ENQUEUED;
    }

    /** Completes the stream after the queued elements. */
    public void complete() {
        closed = true;
        toStage.invoke(new Message<>(null, null));
    }

    /** Fails the stream; queued elements are dropped. */
    public void fail(Throwable failure) {
        closed = true;
        toStage.invoke(new Message<>(null, Objects.requireNonNull(failure, "failure")));
    }

    /** How many elements are in the queue. */
    public int size() {
        return size.get();
    }

    public boolean isClosed() {
        return closed;
    }

    void left() {
        size.decrementAndGet();
    }

    void close() {
        closed = true;
    }
}
