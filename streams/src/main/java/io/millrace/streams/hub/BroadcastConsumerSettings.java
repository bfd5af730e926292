package io.millrace.streams.hub;

import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * How one consumer of a broadcast hub joins and lags; immutable.
 *
 * @param lagPolicy what happens when it is a whole buffer behind
 * @param joinPosition where it starts
 * @param patience how long the hub waits, with its buffer full, before it disconnects the consumer or drops its newest
 *     elements; zero not to wait. Whatever it is, the hub waits up to a second until a consumer that comes to a full buffer has read what
 *     there was. The other policies know no patience
 */
public record BroadcastConsumerSettings(LagPolicy lagPolicy, JoinPosition joinPosition, Duration patience) {
    public BroadcastConsumerSettings {
        Objects.requireNonNull(lagPolicy, "lagPolicy");
        Objects.requireNonNull(joinPosition, "joinPosition");
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative: " + patience);
        }
    }

    /** Holds the hub back when it lags, starts at the tail. */
    public static BroadcastConsumerSettings defaults() {
        return new BroadcastConsumerSettings(LagPolicy.BACKPRESSURE, JoinPosition.tail(), Duration.ZERO);
    }

    public BroadcastConsumerSettings withLagPolicy(LagPolicy value) {
        return new BroadcastConsumerSettings(value, joinPosition, patience);
    }

    public BroadcastConsumerSettings withJoinPosition(JoinPosition value) {
        return new BroadcastConsumerSettings(lagPolicy, value, patience);
    }

    public BroadcastConsumerSettings withPatience(Duration value) {
        return new BroadcastConsumerSettings(lagPolicy, joinPosition, value);
    }

    /** How long the consumer may hold the hub back, in nanoseconds; {@code Long.MAX_VALUE} for ever. */
    public long patienceNanos() {
        return switch (lagPolicy) {
            case BACKPRESSURE -> Long.MAX_VALUE;
            case DROP_OLDEST -> 0;
            case DROP_NEWEST, DISCONNECT -> Durations.nanos(patience);
        };
    }
}
