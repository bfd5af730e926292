package io.millrace.broker.topic;

/** Whom a producer shares its topic with. */
public enum AccessMode {
    /** Any number of producers, as long as none is exclusive. */
    SHARED,
    /** The only producer; refused while there is another. */
    EXCLUSIVE,
    /** The only producer: those that are attached or wait are closed. */
    EXCLUSIVE_WITH_FENCING,
    /** The only producer: it waits until there is no other, behind those that began to wait before it. */
    WAIT_FOR_EXCLUSIVE
}
