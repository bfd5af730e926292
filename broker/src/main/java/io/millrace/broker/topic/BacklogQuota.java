package io.millrace.broker.topic;

/**
 * How large or how old the backlog of a topic's slowest durable subscription may be, and what happens beyond that.
 *
 * @param limit in bytes or in seconds, by what it is a quota of
 */
record BacklogQuota(long limit, Action action) {
    /** What happens beyond it; the names are Pulsar's. */
    enum Action {
        /** Producers are closed and refused; their clients try again until there is room. */
        PRODUCER_REQUEST_HOLD,
        /** Producers are closed and refused; their clients fail what is published. */
        PRODUCER_EXCEPTION,
        /** The eldest messages are acknowledged on every subscription that has too many. */
        CONSUMER_BACKLOG_EVICTION
    }

    /** What an eviction leaves, of the limit: not every message that comes next is to evict another. */
    private static final double LEFT = 0.9;

    /** How much an eviction leaves. */
    long left() {
        return (long) (limit * LEFT);
    }

    /** How much an eviction leaves of a quota in seconds, in milliseconds. */
    long leftMillis() {
        return (long) (limit * 1_000.0 * LEFT);
    }

    boolean isEviction() {
        return action == Action.CONSUMER_BACKLOG_EVICTION;
    }
}
