package io.millrace.streams.graph;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a stream is split by key; immutable.
 *
 * @param maxSubstreams how many keys there may be at once, at least 1, those included that are remembered as cancelled
 * @param idleTimeout after how long without an element a substream is completed and its key forgotten; never if empty
 * @param afterCancellation what becomes of elements whose substream was cancelled
 */
public record GroupBySettings(int maxSubstreams, Optional<Duration> idleTimeout, AfterCancellation afterCancellation) {
    /** What becomes of an element whose substream was cancelled by who ran it. */
    public enum AfterCancellation {
        /** It is dropped; the key is remembered for this, and counts as one of those there may be. */
        DROP,
        /** A new substream is opened for it. */
        REOPEN
    }

    public GroupBySettings {
        if (maxSubstreams < 1) {
            throw new IllegalArgumentException("maxSubstreams must be at least 1, not " + maxSubstreams);
        }
        Objects.requireNonNull(afterCancellation, "afterCancellation");
        idleTimeout.ifPresent(timeout -> {
            if (timeout.isZero() || timeout.isNegative()) {
                throw new IllegalArgumentException("idleTimeout must be more than zero, not " + timeout);
            }
        });
    }

    /** So many keys at once; substreams are not evicted, and elements of cancelled ones are dropped. */
    public static GroupBySettings of(int maxSubstreams) {
        return new GroupBySettings(maxSubstreams, Optional.empty(), AfterCancellation.DROP);
    }

    public GroupBySettings withIdleTimeout(Duration value) {
        return new GroupBySettings(maxSubstreams, Optional.of(value), afterCancellation);
    }

    public GroupBySettings withAfterCancellation(AfterCancellation value) {
        return new GroupBySettings(maxSubstreams, idleTimeout, value);
    }
}
