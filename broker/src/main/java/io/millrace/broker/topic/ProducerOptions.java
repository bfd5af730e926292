package io.millrace.broker.topic;

import org.jspecify.annotations.Nullable;

/**
 * What a producer asks for when it attaches.
 *
 * @param name its name, unique in the topic; null to be given one
 * @param epoch how often the client has reconnected it; a higher one takes the name from a lower one
 * @param topicEpoch the topic's epoch when this producer was last its exclusive one; {@link #NO_TOPIC_EPOCH} if it
 *     never was
 */
public record ProducerOptions(@Nullable String name, long epoch, AccessMode accessMode, long topicEpoch) {
    /** The epoch of a topic that never had an exclusive producer. */
    public static final long NO_TOPIC_EPOCH = -1;

    /** A producer that was never the exclusive one. */
    public ProducerOptions(@Nullable String name, long epoch, AccessMode accessMode) {
        this(name, epoch, accessMode, NO_TOPIC_EPOCH);
    }

    /** A shared producer that is given a name. */
    public static ProducerOptions unnamed() {
        return new ProducerOptions(null, 0, AccessMode.SHARED);
    }

    /** A shared producer with a name of its own. */
    public static ProducerOptions named(String name) {
        return new ProducerOptions(name, 0, AccessMode.SHARED);
    }
}
