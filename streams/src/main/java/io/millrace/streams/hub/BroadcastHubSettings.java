package io.millrace.streams.hub;

import java.util.Objects;

/**
 * How a broadcast hub behaves; immutable.
 *
 * @param bufferSize how many elements the hub holds, a power of two from 1 to 4096
 * @param startAfterConsumers how many consumers must be live at once before the hub asks for the first element
 * @param withoutConsumers what happens while nobody consumes
 * @param keepAfterCompletion whether elements that nobody took are kept, after completion, for the first late consumer
 */
public record BroadcastHubSettings(
        int bufferSize, int startAfterConsumers, WithoutConsumers withoutConsumers, boolean keepAfterCompletion) {
    /** The largest buffer, in elements. */
    public static final int MAX_BUFFER_SIZE = 4096;

    private static final int DEFAULT_BUFFER_SIZE = 256;

    public BroadcastHubSettings {
        if (bufferSize < 1 || bufferSize > MAX_BUFFER_SIZE || Integer.bitCount(bufferSize) != 1) {
            throw new IllegalArgumentException(
                    "bufferSize must be a power of two from 1 to " + MAX_BUFFER_SIZE + ", not " + bufferSize);
        }
        if (startAfterConsumers < 0) {
            throw new IllegalArgumentException("startAfterConsumers must not be negative: " + startAfterConsumers);
        }
        Objects.requireNonNull(withoutConsumers, "withoutConsumers");
    }

    /** 256 elements, starts at once, waits for consumers, keeps what nobody took. */
    public static BroadcastHubSettings defaults() {
        return new BroadcastHubSettings(DEFAULT_BUFFER_SIZE, 0, WithoutConsumers.BACKPRESSURE, true);
    }

    public BroadcastHubSettings withBufferSize(int value) {
        return new BroadcastHubSettings(value, startAfterConsumers, withoutConsumers, keepAfterCompletion);
    }

    public BroadcastHubSettings withStartAfterConsumers(int value) {
        return new BroadcastHubSettings(bufferSize, value, withoutConsumers, keepAfterCompletion);
    }

    public BroadcastHubSettings withWithoutConsumers(WithoutConsumers value) {
        return new BroadcastHubSettings(bufferSize, startAfterConsumers, value, keepAfterCompletion);
    }

    public BroadcastHubSettings withKeepAfterCompletion(boolean value) {
        return new BroadcastHubSettings(bufferSize, startAfterConsumers, withoutConsumers, value);
    }
}
