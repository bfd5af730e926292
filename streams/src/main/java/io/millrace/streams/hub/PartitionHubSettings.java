package io.millrace.streams.hub;

/**
 * How a partition hub behaves; immutable.
 *
 * @param perConsumerBuffer how many elements may wait for one consumer, at least 1
 * @param maxTotalBuffer how many elements may wait for all consumers together, at least 1
 * @param startAfterConsumers how many consumers must be live at once before the hub asks for the first element, at least 1
 */
public record PartitionHubSettings(int perConsumerBuffer, long maxTotalBuffer, int startAfterConsumers) {
    private static final int DEFAULT_PER_CONSUMER_BUFFER = 16;
    private static final int MAX_PER_CONSUMER_BUFFER = 1 << 20;

    public PartitionHubSettings {
        if (perConsumerBuffer < 1 || perConsumerBuffer > MAX_PER_CONSUMER_BUFFER) {
            throw new IllegalArgumentException(
                    "perConsumerBuffer must be from 1 to " + MAX_PER_CONSUMER_BUFFER + ", not " + perConsumerBuffer);
        }
        if (maxTotalBuffer < 1) {
            throw new IllegalArgumentException("maxTotalBuffer must be at least 1, not " + maxTotalBuffer);
        }
        if (startAfterConsumers < 1) {
            throw new IllegalArgumentException("startAfterConsumers must be at least 1, not " + startAfterConsumers);
        }
    }

    /** 16 elements per consumer, no bound on all together, starts with the first consumer. */
    public static PartitionHubSettings defaults() {
        return new PartitionHubSettings(DEFAULT_PER_CONSUMER_BUFFER, Long.MAX_VALUE, 1);
    }

    public PartitionHubSettings withPerConsumerBuffer(int value) {
        return new PartitionHubSettings(value, maxTotalBuffer, startAfterConsumers);
    }

    public PartitionHubSettings withMaxTotalBuffer(long value) {
        return new PartitionHubSettings(perConsumerBuffer, value, startAfterConsumers);
    }

    public PartitionHubSettings withStartAfterConsumers(int value) {
        return new PartitionHubSettings(perConsumerBuffer, maxTotalBuffer, value);
    }
}
