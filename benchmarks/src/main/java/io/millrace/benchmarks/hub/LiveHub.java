package io.millrace.benchmarks.hub;

import java.util.function.Consumer;

/** A broadcast that a benchmark feeds by hand or that counts without end, with consumers that come and go. */
interface LiveHub extends AutoCloseable {
    /** What the report calls it. */
    String name();

    /** Starts a broadcast of 0, 1, 2 and so on once so many consumers are attached. */
    void count(int consumers, int buffer);

    /** Starts a broadcast of what is offered. */
    void feed(int buffer);

    /** Broadcasts one element. */
    void offer(Integer element);

    /** Attaches a consumer that stays. */
    void attach(Consumer<Integer> consumer);

    /** Attaches a consumer that leaves after so many elements. */
    void visit(int elements, Runnable whenLeft);

    @Override
    void close();
}
