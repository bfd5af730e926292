package io.millrace.benchmarks.hub;

/**
 * How a hub may keep track of where its consumers are, by position modulo the slots; one of the designs that the
 * record of decisions compares. One thread.
 */
interface Wheel {
    /** What the report calls the design. */
    String name();

    /** Puts consumers 0 to n - 1 at position 0. */
    void fill(int consumers);

    /** A consumer has announced a new position. */
    void move(int consumer, long to);

    /** The position that the slowest has reached, not beyond this one; called once per batch. */
    long advance(long head, long tail);
}
