package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.DroppableTask;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks in place of workers that are blocked in a function. Go's scheduler does so, too: it gives the tasks of a blocked thread to
 * another. As many threads as there are workers are to be runnable. If all are runnable and yet no task is taken for
 * some checks, functions compute for long: then there are a few more threads, twice as many runnable ones at most, and the system shares the processors among them. These go on while tasks
 * wait and no worker is idle.
 *
 * <p><b>Threads</b>: the monitor checks; stand-ins run tasks.<br>
 * <b>Owned</b>: {@code checksInVain}, {@code hasWarned}, by the monitor.<br>
 * <b>Shared</b>: {@code running}: each stand-in adds and removes itself. {@code count}: raised by the monitor before it starts one, lowered by
 * each that ends. {@code wanted}: written by the monitor, read by stand-ins after each task; a value that is too old costs one more task or one more start.<br>
 * <b>States</b> of one: given -> running -> ended; given -> dropped if it gets no thread, and its task goes back to the queue.<br>
 * <b>Proved by</b>: StandInsTest, LongTurnTest.
 */
final class StandIns {
    private static final int MAX_COUNT = 256;
    private static final int PATIENCE_CHECKS = 4;

    private final Executor threads;
    private final Supplier<@Nullable Runnable> tasks;
    private final Consumer<Runnable> giveBack;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile int wanted;
    private int checksInVain;
    private boolean hasWarned;

    /**
     * @param threads where they run
     * @param tasks gives the next task, or null if there is none
     * @param giveBack takes a task for which no thread could be had, on any thread
     */
    StandIns(Executor threads, Supplier<@Nullable Runnable> tasks, Consumer<Runnable> giveBack) {
        this.threads = threads;
        this.tasks = tasks;
        this.giveBack = giveBack;
    }

    /**
     * Starts one if it is needed.
     *
     * @param workers how many workers there are, none of them idle
     * @param blocked how many of them are blocked in a function
     * @param areTasksWaiting whether there are tasks that nobody has taken
     * @param isNoneTaken whether no task was taken since the last check
     */
    void check(int workers, int blocked, boolean areTasksWaiting, boolean isNoneTaken) {
        int standing = count.get();
        int blockedStandIns = (int) running.stream().filter(StandIns::isBlocked).count();
        int runnable = workers - blocked + standing - blockedStandIns;
        boolean isShort = areTasksWaiting && runnable < workers && (isNoneTaken || runnable == 0);
        checksInVain = areTasksWaiting && isNoneTaken ? checksInVain + 1 : 0;
        boolean isPressed = checksInVain >= PATIENCE_CHECKS && runnable < 2 * workers;
        boolean isOneMore = (isShort || isPressed) && standing < MAX_COUNT;
        int inPlaceOfBlocked = blocked + blockedStandIns;
        int kept = areTasksWaiting ? Math.min(standing, inPlaceOfBlocked + workers) : 0;
        wanted = Math.max(inPlaceOfBlocked, isOneMore ? standing + 1 : kept);
        if (isOneMore) {
            checksInVain = 0;
            start();
        }
    }

    /** Has each end after its present task, as workers are idle. */
    void retire() {
        wanted = 0;
    }

    /** Whether a thread waits for something other than the processor. */
    static boolean isBlocked(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    private void start() {
        StandIn made = new StandIn(); // before it takes a task, which would be lost if there were no memory for it
        if (!made.takesTask()) {
            return;
        }
        count.incrementAndGet();
        try {
            threads.execute(made);
        } catch (RejectedExecutionException closed) {
            made.dropped();
        } catch (Throwable t) {
            made.dropped();
            if (!hasWarned) {
                hasWarned = true;
                log().log(
                                System.Logger.Level.WARNING,
                                "no thread can be had to stand in for workers that functions block",
                                t);
            }
        }
    }

    /** Runs tasks on one thread, from this one on; keeps none that has run. */
    private final class StandIn implements DroppableTask {
        private @Nullable Runnable first;

        /** Whether there was one, with which it begins. */
        boolean takesTask() {
            first = tasks.get();
            return first != null;
        }

        @Override
        public void run() {
            Thread thread = Thread.currentThread();
            try {
                running.add(thread);
            } finally { // a task runs also where there is no memory to note it
                runNoted(thread);
            }
        }

        private void runNoted(Thread thread) {
            try {
                Runnable task = first;
                first = null;
                while (task != null) {
                    UncaughtFailures.runReporting(task);
                    task = null;
                    task = count.get() <= wanted ? tasks.get() : null;
                }
            } finally {
                count.decrementAndGet();
                running.remove(thread);
            }
        }

        @Override
        public void dropped() {
            count.decrementAndGet();
            giveBack.accept(Objects.requireNonNull(first, "a stand-in that has run is not dropped"));
        }
    }

    /** Looked up when it is needed: the first look takes milliseconds of a start. */
    private static System.Logger log() {
        return System.getLogger(StandIns.class.getName());
    }
}
