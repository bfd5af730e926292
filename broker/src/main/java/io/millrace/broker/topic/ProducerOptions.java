package io.millrace.broker.topic;

import org.jspecify.annotations.Nullable;

/**
 * What a producer asks for when it attaches.
 *
 * @param name its name, unique in the topic; null to be given one
 * @param isNameGiven whether the name is one that a broker gave to the client; by a higher epoch, such a producer takes it from its
 *     predecessor, which nobody else can be
 * @param epoch how often the client has reconnected it
 * @param topicEpoch the topic's epoch when this producer was last its exclusive one; {@link #NO_TOPIC_EPOCH} if it
 *     never was
 */
public record ProducerOptions(
        @Nullable String name, boolean isNameGiven, long epoch, AccessMode accessMode, long topicEpoch) {
    /** The epoch of a topic that never had an exclusive producer. */
    public static final long NO_TOPIC_EPOCH = -1;

    /** A shared producer that is given a name. */
    public static ProducerOptions unnamed() {
        return named(null, AccessMode.SHARED);
    }

    /** A shared producer with a name of its own. */
    public static ProducerOptions named(String name) {
        return named(name, AccessMode.SHARED);
    }

    /** A producer with a name of its own, or else one that is given a name, which connects for the first time. */
    public static ProducerOptions named(@Nullable String name, AccessMode accessMode) {
        return new ProducerOptions(name, false, 0, accessMode, NO_TOPIC_EPOCH);
    }

    /** Whether it is the one that was that other before, and has lost its connection. */
    boolean succeeds(ProducerOptions other) {
        return isNameGiven && epoch > other.epoch;
    }
}
