package io.millrace.streams.hub;

/** What happens when a consumer of a hub is a whole buffer behind and the next element comes. */
public enum LagPolicy {
    /** The hub waits for it, and so does everybody else. */
    BACKPRESSURE,
    /** It loses the oldest elements: it goes on with the oldest that the buffer still holds. */
    DROP_OLDEST,
    /** It keeps what it has not read yet, loses all that comes until it has read that, and goes on at the tail. */
    DROP_NEWEST,
    /** Its source fails with {@link ConsumerLaggedException}. */
    DISCONNECT
}
