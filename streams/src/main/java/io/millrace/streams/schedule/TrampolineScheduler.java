package io.millrace.streams.schedule;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs tasks on the thread that schedules them, one after the other.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code generation}, volatile, written under the lock; even means running, and a
 * lane lives as long as the generation that made it. {@code waiting}, the threads that wait for a deadline: each adds itself
 * and then reads the generation, a shutdown writes that and then looks here, so one of the two sees the other.
 * <b>States:</b> even -> odd by shutdown, odd -> even by start. <b>Proved by:</b> ShutdownTest.
 */
final class TrampolineScheduler extends LaneScheduler {
    private static final int SHUT_DOWN = 1;

    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile int generation;

    /** The running generation; a number that no lane has while the scheduler is shut down. */
    int generation() {
        return generation;
    }

    /** Called before this thread looks whether it has to wait for a deadline: from now on a shutdown unparks it. */
    void startWaiting() {
        waiting.add(Thread.currentThread());
    }

    void stopWaiting() {
        waiting.remove(Thread.currentThread());
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
            waiting.forEach(LockSupport::unpark);
        }
    }
}
