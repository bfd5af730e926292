package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chooses the consumer that gets the next entry: here the subscription types differ. */
sealed interface Selector permits ExclusiveDispatch, FailoverDispatch, SharedDispatch, KeySharedDispatch {
    SubscriptionType type();

    /** Throws a {@link BrokerException} when the type has no place for another consumer with these options. */
    void admit(ConsumerOptions options);

    /** The one consumer that has what these options claim for themselves; null if there is none, or several have it. */
    default @Nullable Consumer rival(ConsumerOptions options) {
        return null;
    }

    void joined(Consumer consumer);

    void left(Consumer consumer);

    /** The one consumer that gets everything; null if there is none, or several share the entries. */
    default @Nullable Consumer active() {
        return null;
    }

    /** Whether entries of this key are for the consumers at all; one that is not is passed over, and nobody acknowledges it. */
    default boolean wants(int keyHash) {
        return true;
    }

    /** The hashes of keys that are each consumer's own; empty where keys are not shared out. */
    default Map<Consumer, List<KeySharedOptions.HashRange>> ranges() {
        return Map.of();
    }

    /** Whether any consumer takes an entry now. */
    boolean anyReady();

    /** The consumer that takes this entry now, null if it must wait. */
    @Nullable
    Consumer pick(EntryHeader header);

    /**
     * One that may take an entry of this key now, a chunk or not, before more is known of it; null if it must wait. Which
     * consumer takes a chunk depends on its message.
     */
    @Nullable
    Consumer likely(int keyHash, boolean chunk);

    /** The entry goes to the consumer that {@link #pick} named. */
    void sent(EntryHeader header, Consumer consumer);

    /**
     * The consumer for which an entry counts that none takes and that is not kept: the one whose it is, or each in turn of
     * several that share; null if it is nobody's.
     */
    @Nullable
    Consumer missedBy(EntryHeader header);

    /** The messages that the ready consumers have permits for. */
    long wantedMessages();

    /**
     * The one of that type, for a subscription without consumers.
     *
     * @param partition the number of the partition whose entries they are; 0 if the topic has none
     */
    static Selector of(SubscriptionType type, FailoverDispatch.Takeover takeover, PendingAcks pending, int partition) {
        return switch (type) {
            case EXCLUSIVE -> new ExclusiveDispatch();
            case FAILOVER -> new FailoverDispatch(takeover, partition);
            case SHARED -> new SharedDispatch();
            case KEY_SHARED -> new KeySharedDispatch(pending);
        };
    }
}
