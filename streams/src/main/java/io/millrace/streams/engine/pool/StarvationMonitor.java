package io.millrace.streams.engine.pool;

import java.util.Arrays;

/**
 * Finds tasks that nobody takes, and has somebody take them: a task that runs next behind one that lasts is stolen and queued; a queue from which
 * nobody takes gets a worker or, if none is idle, a stand-in.
 *
 * <p><b>Threads</b>: the thread of {@link TurnMonitor}.<br>
 * <b>Owned</b>: all fields.<br>
 * <b>Proved by</b>: WorkerPoolTest, StandInsTest.
 */
final class StarvationMonitor {
    private final InjectQueue queue;
    private final Workers workers;
    private final StandIns standIns;
    private int[] putCountsSeen = {};
    private long takenSeen = -1;

    StarvationMonitor(InjectQueue queue, Workers workers, StandIns standIns) {
        this.queue = queue;
        this.workers = workers;
        this.standIns = standIns;
    }

    /** Whether tasks wait. */
    boolean check() {
        Worker[] all = workers.started();
        stealStale(all);
        long taken = queue.takenCount();
        boolean areTasksWaiting = !queue.isEmpty();
        boolean isNoneTaken = taken == takenSeen;
        takenSeen = taken;
        if (!workers.isAnyIdle()) {
            standIns.check(all.length, blocked(all), areTasksWaiting, isNoneTaken);
            return areTasksWaiting;
        }
        standIns.retire();
        if (areTasksWaiting && isNoneTaken) {
            workers.wakeOne();
        }
        return areTasksWaiting;
    }

    /** Queues the tasks that have stood in a slot since the last check. */
    private void stealStale(Worker[] all) {
        if (putCountsSeen.length < all.length) {
            putCountsSeen = Arrays.copyOf(putCountsSeen, all.length);
        }
        for (int i = 0; i < all.length; i++) {
            RunNextSlot slot = all[i].slot();
            int putCount = slot.putCount();
            Runnable task = slot.peek();
            if (task != null && putCount == putCountsSeen[i] && slot.steal(task)) {
                queue.add(task);
            }
            putCountsSeen[i] = putCount;
        }
    }

    private static int blocked(Worker[] all) {
        int blocked = 0;
        for (Worker worker : all) {
            if (worker.turn().isRunning() && StandIns.isBlocked(worker)) {
                blocked++;
            }
        }
        return blocked;
    }
}
