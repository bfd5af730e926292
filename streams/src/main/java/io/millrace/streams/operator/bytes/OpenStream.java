package io.millrace.streams.operator.bytes;

import io.millrace.streams.engine.failure.NotNull;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.BaseStream;

/** A stream of {@code java.util.stream} that is being iterated. */
public record OpenStream<O>(BaseStream<? extends O, ?> stream, Iterator<? extends O> iterator) {
    /** Begins to iterate the stream, which is its one terminal operation. */
    public static <O> OpenStream<O> of(BaseStream<? extends O, ?> stream) {
        return new OpenStream<>(stream, stream.iterator());
    }

    /** The next element, if there is one. */
    public Optional<O> read() {
        return iterator.hasNext()
                ? Optional.of(NotNull.checked(iterator.next(), "", "the stream gave null"))
                : Optional.empty();
    }

    /** Runs what is to be done when the stream is closed. */
    public void close() {
        stream.close();
    }
}
