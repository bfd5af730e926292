package io.millrace.streams.schedule;

import java.util.concurrent.atomic.AtomicInteger;

/** A lane over an executor that only counts how often it is asked: the test's threads play the executor's. */
final class QueuedLane {
    private final AtomicInteger handOvers = new AtomicInteger();
    private final ExecutorLane lane;

    QueuedLane(boolean interrupts) {
        EventLoop timers = new EventLoop(new DaemonThreads("stress"));
        lane = new ExecutorLane(turn -> handOvers.incrementAndGet(), timers, interrupts);
    }

    ExecutorLane lane() {
        return lane;
    }

    /** Runs a turn if one was handed over. */
    void runIfHandedOver() {
        if (handOvers.getAndSet(0) > 0) {
            lane.run();
        }
    }
}
