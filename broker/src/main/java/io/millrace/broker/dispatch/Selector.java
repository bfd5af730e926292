package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;

/** Who gets the next entry: what tells the subscription types apart. */
sealed interface Selector permits ExclusiveDispatch, FailoverDispatch, SharedDispatch {
    SubscriptionType type();

    /** Throws CONSUMER_BUSY when the type has no place for another consumer. */
    void admit(ConsumerOptions options);

    void joined(Consumer consumer);

    void left(Consumer consumer);

    /** Whether the consumer is one that gets entries. */
    boolean isActive(Consumer consumer);

    /** Whether any consumer takes an entry now. */
    boolean anyReady();

    /** The consumer for an entry with this header, right after {@link #anyReady} said yes. */
    Consumer take(EntryHeader header);

    /** The messages that the ready consumers have permits for. */
    long wantedMessages();

    static Selector of(SubscriptionType type, FailoverDispatch.Takeover takeover) {
        return switch (type) {
            case EXCLUSIVE -> new ExclusiveDispatch();
            case FAILOVER -> new FailoverDispatch(takeover);
            case SHARED -> new SharedDispatch();
            case KEY_SHARED ->
                throw new BrokerException(
                        ErrorKind.UNSUPPORTED,
                        "Key_Shared subscriptions are not supported yet: use Shared, Failover or Exclusive");
        };
    }
}
