package io.millrace.streams.schedule;

import io.millrace.streams.FullHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Has a lane run more tasks than one turn takes, of which one fills the heap and the last empties it. */
final class FullHeapLaneProgram {
    private static final int TASKS = EventLoop.TURN_TASKS + 10;

    /** They are not to become memory again. */
    private static final List<Disposable> TASKS_MADE = new ArrayList<>();

    private static int ran;

    private FullHeapLaneProgram() {}

    public static void main(String[] arguments) {
        Queue<Runnable> given = new ArrayDeque<>();
        try (Scheduler scheduler = Schedulers.from(given::add)) {
            Worker lane = scheduler.createWorker();
            for (int i = 0; i < 2 * TASKS; i++) {
                TASKS_MADE.add(lane.schedule(FullHeapLaneProgram::run));
            }
            for (Runnable next = given.poll(); next != null; next = given.poll()) {
                next.run();
            }
        } finally {
            FullHeap.empty();
        }
        if (ran != 2 * TASKS) {
            throw new AssertionError("it ran " + ran);
        }
    }

    private static void run() {
        ran++;
        if (ran == TASKS) { // once a turn has ended before
            FullHeap.fill();
        } else if (ran == 2 * TASKS) {
            FullHeap.empty();
        }
    }
}
