package io.millrace.streams;

import io.millrace.streams.graph.Materializer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The elements of one run, for a thread that waits for them. */
final class BlockingIterator<T> implements Iterator<T> {
    /** So many elements are asked for ahead. */
    private static final int AHEAD = 16;

    private final Materializer runtime;
    private final PulledAhead<T> elements;
    private @Nullable T next;
    private @Nullable CompletionException interrupted;

    /** Runs the graph. */
    BlockingIterator(RunnableGraph<SinkQueue<T>> graph, Materializer runtime) {
        StreamRuntime.ensureMayWait(runtime);
        this.runtime = runtime;
        elements = new PulledAhead<>(graph.run(runtime), AHEAD);
    }

    /** What is left, as a stream that cancels the run when it is closed. */
    Stream<T> toStream() {
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false)
                .onClose(elements::cancel);
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            next = take().orElse(null);
        }
        return next != null;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the stream has ended");
        }
        T taken = Objects.requireNonNull(next);
        next = null;
        return taken;
    }

    private Optional<T> take() {
        if (interrupted != null) {
            throw interrupted;
        }
        if (!elements.isKnown()) {
            StreamRuntime.ensureMayWait(runtime);
        }
        try {
            return elements.take();
        } catch (InterruptedException e) {
            elements.cancel();
            Thread.currentThread().interrupt();
            interrupted = new CompletionException("interrupted while waiting for an element of a stream", e);
            throw interrupted;
        } catch (ExecutionException e) {
            throw thrown(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private static RuntimeException thrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new CompletionException(failure);
    }
}
