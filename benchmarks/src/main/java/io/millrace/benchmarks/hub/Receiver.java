package io.millrace.benchmarks.hub;

import java.util.concurrent.CountDownLatch;

/** One consumer's end: checks that every element from 0 on comes once and in order, and counts down at the last. */
final class Receiver {
    private final int expected;
    private final CountDownLatch done;
    private int received;
    private boolean disordered;

    Receiver(int expected, CountDownLatch done) {
        this.expected = expected;
        this.done = done;
    }

    void accept(Integer element) {
        disordered |= element != received;
        received++;
        if (received == expected) {
            done.countDown();
        }
    }

    /** Throws unless everything came, once and in order; after the latch. */
    void check(String library) {
        if (disordered || received != expected) {
            throw new IllegalStateException(library + " delivered " + received + " of " + expected + " elements"
                    + (disordered ? ", not in order" : ""));
        }
    }
}
