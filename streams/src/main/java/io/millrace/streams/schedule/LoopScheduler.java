package io.millrace.streams.schedule;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed number of event loops, given to workers in turn.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code loops}, volatile, replaced under the lock by start; {@code turn}, a
 * counter. <b>States:</b> running -> shut down -> running with new loops; the loops' threads start on demand.
 */
final class LoopScheduler extends LaneScheduler {
    private final ThreadFactory threads;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile EventLoop[] loops;

    LoopScheduler(int count, ThreadFactory threads) {
        this.threads = threads;
        this.loops = newLoops(count);
    }

    private EventLoop[] newLoops(int count) {
        EventLoop[] made = new EventLoop[count];
        for (int i = 0; i < count; i++) {
            made[i] = new EventLoop(threads);
        }
        return made;
    }

    private EventLoop nextLoop() {
        EventLoop[] current = loops;
        return current.length == 1 ? current[0] : current[Math.floorMod(turn.getAndIncrement(), current.length)];
    }

    @Override
    Lane laneForSingleTask() {
        return nextLoop().ownLane();
    }

    @Override
    public Worker createWorker() {
        return new LoopLane(nextLoop(), false);
    }

    @Override
    public synchronized void start() {
        if (loops[0].isClosed()) {
            loops = newLoops(loops.length);
        }
    }

    @Override
    public synchronized void shutdown() {
        for (EventLoop loop : loops) {
            loop.close();
        }
    }
}
