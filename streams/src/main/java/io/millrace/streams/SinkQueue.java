package io.millrace.streams;

import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.AsyncCallback;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a running stream for elements, to any thread.
 *
 * <p><b>Threads</b>: any thread pulls and cancels; the stage answers.<br>
 * <b>Owned</b>: {@code hasEnded}, by the stage.<br>
 * <b>Shared</b>: {@code failure}: written by the stage before it stops, read by whoever learns that it has stopped.<br>
 * <b>States</b>: running -> ended, once, by the stage.<br>
 * <b>Proved by</b>: OperatorsTest.
 */
public final class SinkQueue<T> {
    private final AsyncCallback<CompletableFuture<Optional<T>>> requests;
    private final AsyncCallback<NotUsed> cancellations;
    private volatile @Nullable Throwable failure;
    private boolean hasEnded;

    SinkQueue(AsyncCallback<CompletableFuture<Optional<T>>> requests, AsyncCallback<NotUsed> cancellations) {
        this.requests = requests;
        this.cancellations = cancellations;
    }

    /**
     * The next element; empty when the stream has completed or was cancelled, failed when it has failed. A future that is
     * cancelled, or otherwise completed, before its element has come takes none: that is kept for the next pull, and the stream
     * with it, until {@link #cancel}.
     */
    public CompletionStage<Optional<T>> pull() {
        CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
        requests.invokeWithFeedback(answer).whenComplete((done, stopped) -> {
            if (stopped != null) {
                end(answer, stopped instanceof StageStoppedException ? stopped.getCause() : stopped);
            }
        });
        return answer;
    }

    /** Cancels the stream. */
    public void cancel() {
        cancellations.invoke(NotUsed.NOT_USED);
    }

    /** Sets how the stream has ended; by the stage, before it stops. */
    void endsWith(@Nullable Throwable cause) {
        failure = cause;
        hasEnded = true;
    }

    /** Whether it was said how the stream has ended; by the stage. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Answers as the stream has ended; with the failure given if nobody has said how. */
    void end(CompletableFuture<Optional<T>> answer, @Nullable Throwable otherwise) {
        Throwable known = failure;
        Throwable cause = known == null ? otherwise : known;
        if (cause == null) {
            answer.complete(Optional.empty());
        } else {
            answer.completeExceptionally(cause);
        }
    }
}
