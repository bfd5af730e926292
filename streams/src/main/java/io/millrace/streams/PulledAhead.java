package io.millrace.streams;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a running stream for a thread that waits for them; so many are asked for ahead, at least 1. A failure comes
 * behind the elements before it.
 *
 * <p><b>Threads</b>: one at a time takes; any cancels.<br>
 * <b>Owned</b>: {@code ahead}, by who takes.<br>
 * <b>Shared</b>: the queue.<br>
 * <b>States</b>: running -> ended, when the first of {@code ahead} tells no element; it stays there.<br>
 * <b>Proved by</b>: InputStreamTest, BlockingIteratorTest.
 */
final class PulledAhead<T> {
    private final SinkQueue<T> queue;
    private final Deque<CompletableFuture<Answer<T>>> ahead = new ArrayDeque<>();

    PulledAhead(SinkQueue<T> queue, int count) {
        this.queue = queue;
        for (int i = 0; i < count; i++) {
            pull();
        }
    }

    /** What came of a pull: a value also where it failed, as a future tells some failures otherwise than they were. */
    private record Answer<T>(Optional<T> element, @Nullable Throwable failure) {}

    private void pull() {
        ahead.add(queue.pull()
                .handle((element, failure) ->
                        failure == null ? new Answer<>(element, null) : new Answer<>(Optional.<T>empty(), failure))
                .toCompletableFuture());
    }

    /** Whether it is known what comes next, so that {@link #take} does not wait. */
    boolean isKnown() {
        return ahead.element().isDone();
    }

    /** Whether an element has come. */
    boolean isThere() {
        return isKnown() && ahead.element().join().element().isPresent();
    }

    /** Waits for the next element and takes it; empty once the stream has completed or was cancelled. An interrupt takes nothing. */
    Optional<T> take() throws InterruptedException, ExecutionException {
        Answer<T> answer = ahead.element().get();
        if (answer.failure() != null) {
            throw new ExecutionException(answer.failure());
        }
        if (answer.element().isPresent()) {
            ahead.remove();
            pull();
        }
        return answer.element();
    }

    /** Cancels the stream. */
    void cancel() {
        queue.cancel();
    }
}
