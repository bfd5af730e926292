package io.millrace.streams;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.OverflowStrategy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The way into a running stream for elements from any thread.
 *
 * <p><b>Threads</b>: any thread offers and ends; the stage takes out.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code elements}, {@code waiting}: read and written under this object's lock, which is held for no call to anyone else;
 * {@code end}: written under that lock, read by anyone; {@code toStage}: cleared by the stage as it stops, so that a
 * handle keeps nothing of it. Who puts an element into the empty queue, or ends it, wakes the stage afterwards; the
 * stage looks when it is woken and when it is asked for an element.<br>
 * <b>States</b>: open -> ended, once: by who ends it, by an overflow that fails, by the stage as it stops, or by who gives up a
 * stage that is stuck.<br>
 * <b>Proved by</b>: WakeUpStressTest, SourceQueueTest.
 */
public final class SourceQueue<T> {
    /** How many offers wait for room at most. */
    public static final int MAX_WAITING = 1024;

    private final int capacity;
    private final OverflowStrategy strategy;
    private final Deque<T> elements = new ArrayDeque<>();
    private final Deque<WaitingOffer<T>> waiting = new ArrayDeque<>(0);
    private final CompletableFuture<Done> completion;
    private volatile @Nullable StageWakeUp toStage;
    private volatile @Nullable End end;

    SourceQueue(int capacity, OverflowStrategy strategy, StageWakeUp toStage, CompletableFuture<Done> completion) {
        this.completion = completion;
        this.capacity = capacity;
        this.strategy = strategy;
        this.toStage = toStage;
        CompletionStage<Done> ended = completion;
        ended.whenComplete((done, failure) -> {
            if (failure != null) { // also when the stage is stuck, so that nobody waits for room
                fail(failure);
            }
        });
    }

    /** What became of an element that was offered. */
    public enum Offer {
        /** It is in the queue. */
        ENQUEUED,
        /** It was refused because the queue is full. */
        FULL,
        /** It was dropped because the queue is full and that is the queue's strategy. */
        DROPPED,
        /** It was refused because the queue or the stream has ended. */
        CLOSED
    }

    /** An element that waits for room, and who is told of it. */
    private record WaitingOffer<T>(T element, CompletableFuture<Offer> outcome) {}

    /** How the queue has ended; its own failure is that it was full. */
    record End(Optional<Throwable> failure, boolean isOwn) {}

    /** Puts an element into the queue, as its strategy says if there is no room; never blocks. */
    public Offer offer(T element) {
        Objects.requireNonNull(element, "element");
        Offer offer;
        boolean isNews;
        synchronized (this) {
            boolean isIdle = elements.isEmpty();
            offer = put(element);
            isNews = isNews(isIdle, offer);
        }
        if (isNews) {
            wakeStage();
        }
        return offer;
    }

    /** Whether the stage is to hear of an offer; called under the lock in which it was made. */
    private boolean isNews(boolean wasIdle, Offer offer) {
        return offer != Offer.CLOSED && (wasIdle || end != null);
    }

    private Offer put(T element) {
        if (end != null) {
            return Offer.CLOSED;
        }
        Offer offer = elements.size() < capacity ? Offer.ENQUEUED : overflow();
        if (offer == Offer.ENQUEUED) {
            elements.add(element);
        }
        return offer;
    }

    /**
     * As {@link #offer}, but a full queue with the strategy {@link OverflowStrategy#BACKPRESSURE} lets the element wait for room, behind those
     * that wait already. The future gives what became of it; never {@code FULL} with that strategy. Whoever offers the next element only then is paced by
     * the stream. Cancelling the future takes nothing back.
     *
     * <p>The future fails with a {@link BufferOverflowException} when {@link #MAX_WAITING} offers wait already.
     */
    public CompletionStage<Offer> offerAsync(T element) {
        Objects.requireNonNull(element, "element");
        Offer offer;
        boolean isNews;
        synchronized (this) {
            if (end == null && strategy == OverflowStrategy.BACKPRESSURE && elements.size() == capacity) {
                return waitForRoom(element);
            }
            boolean isIdle = elements.isEmpty();
            offer = put(element);
            isNews = isNews(isIdle, offer);
        }
        if (isNews) {
            wakeStage();
        }
        return CompletableFuture.completedFuture(offer);
    }

    private CompletionStage<Offer> waitForRoom(T element) {
        if (waiting.size() == MAX_WAITING) {
            return CompletableFuture.failedFuture(new BufferOverflowException("the queue is full with " + capacity
                    + " elements, and " + MAX_WAITING + " offers wait already: wait for the outcome of earlier ones"));
        }
        CompletableFuture<Offer> outcome = new CompletableFuture<>();
        waiting.add(new WaitingOffer<>(element, outcome));
        return outcome.copy();
    }

    /**
     * Completes once the stream has completed behind the last element, or was cancelled; fails with what the stream fails with.
     */
    public CompletionStage<Done> completion() {
        return completion.copy();
    }

    /** Makes room, or says why there is none. */
    private Offer overflow() {
        switch (strategy) {
            case DROP_HEAD -> elements.removeFirst();
            case DROP_TAIL -> elements.removeLast();
            case DROP_BUFFER -> elements.clear();
            case DROP_NEW -> {
                return Offer.DROPPED;
            }
            case FAIL -> {
                end(new End(
                        Optional.of(new BufferOverflowException("the queue is full with " + capacity + " elements")),
                        true));
                return Offer.FULL;
            }
            case BACKPRESSURE -> {
                return Offer.FULL;
            }
        }
        return Offer.ENQUEUED;
    }

    /** Completes the stream after the queued elements and those that wait for room. */
    public void complete() {
        synchronized (this) {
            if (end != null) {
                return;
            }
            end = new End(Optional.empty(), false);
        }
        wakeStage();
    }

    /** Fails the stream; queued elements are dropped. */
    public void fail(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        List<WaitingOffer<T>> refused;
        synchronized (this) {
            if (end != null && end.failure().isPresent()) {
                return;
            }
            end(new End(Optional.of(failure), false));
            refused = takeWaiting();
        }
        refuse(refused);
        wakeStage();
    }

    private List<WaitingOffer<T>> takeWaiting() {
        List<WaitingOffer<T>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    private static <T> void refuse(List<WaitingOffer<T>> offers) {
        offers.forEach(offer -> offer.outcome().complete(Offer.CLOSED));
    }

    private void wakeStage() {
        StageWakeUp woken = toStage;
        if (woken != null) {
            woken.run();
        }
    }

    private void end(End failed) {
        end = failed;
        elements.clear();
    }

    /** How many elements are in the queue. */
    public synchronized int size() {
        return elements.size();
    }

    public boolean isClosed() {
        return end != null;
    }

    /** The next element for the stage, if there is one; the first that waits for room gets its place. */
    @Nullable
    T poll() {
        T element;
        WaitingOffer<T> admitted;
        synchronized (this) {
            element = elements.poll();
            admitted = element == null ? null : waiting.poll();
            if (admitted != null) {
                elements.add(admitted.element());
            }
        }
        if (admitted != null) {
            admitted.outcome().complete(Offer.ENQUEUED);
        }
        return element;
    }

    /** How the queue has ended, once it is drained. */
    @Nullable
    End drainedEnd() {
        if (end == null) {
            return null;
        }
        synchronized (this) { // a failure may have overtaken the end that was seen above, and emptied the queue
            return elements.isEmpty() ? end : null;
        }
    }

    /** Called by the stage as it stops. */
    void close() {
        List<WaitingOffer<T>> refused;
        synchronized (this) {
            if (end == null) {
                end = new End(Optional.empty(), false);
            }
            elements.clear();
            refused = takeWaiting();
            toStage = null;
        }
        refuse(refused);
    }
}
