package io.millrace.broker.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What a consumer asks for when it subscribes.
 *
 * @param consumerId the client's number for it, unique in its connection
 * @param type the subscription type it expects
 * @param priority its priority level; 0 is served first
 */
public record ConsumerOptions(
        long consumerId,
        String name,
        SubscriptionType type,
        int priority,
        @Nullable KeySharedOptions keyShared) {
    public ConsumerOptions {
        if (priority < 0) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "priority level of consumer " + name + " must not be negative: " + priority);
        }
    }

    /** Whether it alone gets what is in its key ranges, and nobody the rest: so readers of ranges ask. */
    boolean isFiltered() {
        return type == SubscriptionType.EXCLUSIVE && keyShared != null && keyShared.sticky();
    }

    /** A consumer of the highest priority without key ranges. */
    public static ConsumerOptions of(long consumerId, String name, SubscriptionType type) {
        return new ConsumerOptions(consumerId, name, type, 0, null);
    }

    /** The same under another name. */
    public ConsumerOptions withName(String newName) {
        return new ConsumerOptions(consumerId, newName, type, priority, keyShared);
    }

    /** The same of another level, 0 being served first. */
    public ConsumerOptions withPriority(int level) {
        return new ConsumerOptions(consumerId, name, type, level, keyShared);
    }

    /** The same with other key ranges. */
    public ConsumerOptions withKeyShared(@Nullable KeySharedOptions options) {
        return new ConsumerOptions(consumerId, name, type, priority, options);
    }
}
