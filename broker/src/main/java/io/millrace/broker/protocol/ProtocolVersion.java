package io.millrace.broker.protocol;

/**
 * The version of the protocol that a connection speaks: what came later is not sent to older clients, which would not
 * understand it.
 *
 * @param number 0 to {@link #NEWEST}, as CONNECTED says it
 */
record ProtocolVersion(int number) {
    /** The newest that the broker speaks. */
    static final int NEWEST = 21;

    private static final int END_OF_TOPIC = 9;
    private static final int CHECKSUMS = 11;
    private static final int ACTIVE_CHANGES = 12;

    /** The one for a client that speaks all up to this version; none is below 0. */
    static ProtocolVersion of(int newestOfClient) {
        return new ProtocolVersion(Math.min(Math.max(newestOfClient, 0), NEWEST));
    }

    /** Whether REACHED_END_OF_TOPIC is known. */
    boolean knowsEndOfTopic() {
        return number >= END_OF_TOPIC;
    }

    /** Whether a message that is delivered may begin with its checksum. */
    boolean takesChecksums() {
        return number >= CHECKSUMS;
    }

    /** Whether ACTIVE_CONSUMER_CHANGE is known. */
    boolean knowsActiveChanges() {
        return number >= ACTIVE_CHANGES;
    }
}
