package io.millrace.broker.dispatch;

/** How the consumers of one subscription share its entries. */
public enum SubscriptionType {
    /** One consumer; a second is refused. */
    EXCLUSIVE,
    /** One active consumer, by priority, then name, of a partition by its number as well; the rest wait. */
    FAILOVER,
    /** Round robin by permits and priority level. */
    SHARED,
    /** As Shared, in order per key. */
    KEY_SHARED;

    /** Its name in what Pulsar tells of subscriptions. */
    public String pulsarName() {
        return switch (this) {
            case EXCLUSIVE -> "Exclusive";
            case FAILOVER -> "Failover";
            case SHARED -> "Shared";
            case KEY_SHARED -> "Key_Shared";
        };
    }

    /** Whether one consumer at a time gets everything in order, so that cumulative acknowledgements are allowed. */
    public boolean singleActive() {
        return this == EXCLUSIVE || this == FAILOVER;
    }
}
