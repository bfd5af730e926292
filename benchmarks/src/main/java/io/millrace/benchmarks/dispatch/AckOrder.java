package io.millrace.benchmarks.dispatch;

/** Which pending entry is acknowledged next, and how far apart the ids are. */
public enum AckOrder {
    IN_ORDER,
    RANDOM,
    SPARSE
}
