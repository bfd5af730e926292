package io.millrace.streams;

import java.util.Objects;

/**
 * How one consumer of a broadcast hub joins and lags; immutable.
 *
 * @param lagPolicy what happens when it is a whole buffer behind
 * @param joinPosition where it starts
 */
public record BroadcastConsumerSettings(LagPolicy lagPolicy, JoinPosition joinPosition) {
    public BroadcastConsumerSettings {
        Objects.requireNonNull(lagPolicy, "lagPolicy");
        Objects.requireNonNull(joinPosition, "joinPosition");
    }

    /** Holds the hub back when it lags, starts at the tail. */
    public static BroadcastConsumerSettings defaults() {
        return new BroadcastConsumerSettings(LagPolicy.BACKPRESSURE, JoinPosition.tail());
    }

    public BroadcastConsumerSettings withLagPolicy(LagPolicy value) {
        return new BroadcastConsumerSettings(value, joinPosition);
    }

    public BroadcastConsumerSettings withJoinPosition(JoinPosition value) {
        return new BroadcastConsumerSettings(lagPolicy, value);
    }
}
