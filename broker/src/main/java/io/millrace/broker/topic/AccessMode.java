package io.millrace.broker.topic;

/** Whom a producer shares its topic with. */
public enum AccessMode {
    /** Any number of producers, as long as none is exclusive. */
    SHARED,
    /** The only producer; refused while there is another. */
    EXCLUSIVE,
    /** The only producer: it pushes out whoever is there, and whoever waits. */
    EXCLUSIVE_WITH_FENCING,
    /** The only producer, once there is no other and those that came to wait before have had their turn. */
    WAIT_FOR_EXCLUSIVE
}
