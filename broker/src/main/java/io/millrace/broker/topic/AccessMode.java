package io.millrace.broker.topic;

/** Whom a producer shares its topic with. */
public enum AccessMode {
    /** Any number of producers, as long as none is exclusive. */
    SHARED,
    /** The only producer; refused while there is another. */
    EXCLUSIVE,
    /** The only producer, pushing others out; not supported yet. */
    EXCLUSIVE_WITH_FENCING,
    /** The only producer, waiting until there is no other; not supported yet. */
    WAIT_FOR_EXCLUSIVE
}
