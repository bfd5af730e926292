package io.millrace.streams.hub;

/**
 * How a merge hub behaves; immutable.
 *
 * @param perProducerBuffer how many elements of one producer may wait, at least 1
 * @param maxTotalBuffer how many elements of all producers may wait; a producer that would exceed it is refused
 * @param failOnProducerFailure whether a producer's failure fails the hub, instead of being logged
 */
public record MergeHubSettings(int perProducerBuffer, long maxTotalBuffer, boolean failOnProducerFailure) {
    private static final int DEFAULT_PER_PRODUCER_BUFFER = 16;
    private static final int MAX_PER_PRODUCER_BUFFER = 1 << 20;

    public MergeHubSettings {
        if (perProducerBuffer < 1 || perProducerBuffer > MAX_PER_PRODUCER_BUFFER) {
            throw new IllegalArgumentException(
                    "perProducerBuffer must be from 1 to " + MAX_PER_PRODUCER_BUFFER + ", not " + perProducerBuffer);
        }
        if (maxTotalBuffer < perProducerBuffer) {
            throw new IllegalArgumentException("maxTotalBuffer " + maxTotalBuffer
                    + " has no room for one producer's buffer of " + perProducerBuffer);
        }
    }

    /** 16 elements per producer, any number of producers, failures are logged. */
    public static MergeHubSettings defaults() {
        return new MergeHubSettings(DEFAULT_PER_PRODUCER_BUFFER, Long.MAX_VALUE, false);
    }

    public MergeHubSettings withPerProducerBuffer(int value) {
        return new MergeHubSettings(value, maxTotalBuffer, failOnProducerFailure);
    }

    public MergeHubSettings withMaxTotalBuffer(long value) {
        return new MergeHubSettings(perProducerBuffer, value, failOnProducerFailure);
    }

    public MergeHubSettings withFailOnProducerFailure(boolean value) {
        return new MergeHubSettings(perProducerBuffer, maxTotalBuffer, value);
    }
}
