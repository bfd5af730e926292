package io.millrace.benchmarks.actor;

import java.util.function.Consumer;

/** A running stage that is told numbers; ours or a peer's. */
interface Told extends AutoCloseable {
    String name();

    /** Sends a number to the stage, from any thread. */
    Consumer<Integer> address();

    /** How many numbers have had their effect: were counted in the handler, or came out downstream. */
    long effects();

    @Override
    void close();
}
