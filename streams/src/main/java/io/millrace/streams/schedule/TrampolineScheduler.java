package io.millrace.streams.schedule;

/**
 * Runs tasks on the thread that schedules them, one after the other.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code generation}, volatile, written under the lock; even means running, and a
 * lane lives as long as the generation that made it. <b>States:</b> even -> odd by shutdown, odd -> even by start.
 */
final class TrampolineScheduler extends LaneScheduler {
    private static final int SHUT_DOWN = 1;

    private volatile int generation;

    /** The running generation; a number that no lane has while the scheduler is shut down. */
    int generation() {
        return generation;
    }

    @Override
    Lane laneForSingleTask() {
        return new TrampolineLane(this);
    }

    @Override
    public Worker createWorker() {
        return laneForSingleTask();
    }

    boolean isRunning() {
        return (generation & SHUT_DOWN) == 0;
    }

    @Override
    public synchronized void start() {
        if (!isRunning()) {
            generation = generation + 1;
        }
    }

    @Override
    public synchronized void shutdown() {
        if (isRunning()) {
            generation = generation + 1;
        }
    }
}
