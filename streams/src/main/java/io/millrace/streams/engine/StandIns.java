package io.millrace.streams.engine;

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
 * Threads that run tasks in place of workers which a function keeps, so that others have their turn though every worker waits in one. As
 * Go's scheduler hands the tasks of a blocked thread to another: as many threads as there are workers are to be runnable. Where all run
 * and yet nobody takes a task for some looks, as functions compute for long, there are a few more, and the system shares the processors.
 *
 * <p><b>Threads</b>: the monitor looks; stand-ins run tasks.<br>
 * <b>Owned</b>: {@code looksInVain}, {@code hasToldOfLack}, by the monitor.<br>
 * <b>Shared</b>: {@code running}: each stand-in adds and removes itself. {@code count}: raised by the monitor before it starts one, lowered by
 * each that ends. {@code wanted}: written by the monitor, read by stand-ins after each task: what is too old costs a task more or a start more.<br>
 * <b>Proved by</b>: StandInsTest, LongTurnTest.
 */
final class StandIns {
    private static final int MAX_COUNT = 256;
    private static final int PATIENCE_LOOKS = 4;

    private static final System.Logger LOG = System.getLogger(StandIns.class.getName());

    private final Executor threads;
    private final Supplier<@Nullable Runnable> tasks;
    private final Consumer<Runnable> giveBack;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile int wanted;
    private int looksInVain;
    private boolean hasToldOfLack;

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
     * Looks whether one is needed.
     *
     * @param workers how many workers there are, none of them idle
     * @param stuck how many of them wait in a function
     * @param areTasksWaiting whether there are tasks that nobody has taken
     * @param inVain whether none was taken since the last look
     */
    void look(int workers, int stuck, boolean areTasksWaiting, boolean inVain) {
        int standing = count.get();
        int stuckStandIns = (int) running.stream().filter(StandIns::waits).count();
        int runnable = workers - stuck + standing - stuckStandIns;
        boolean isShort = areTasksWaiting && runnable < workers && (inVain || runnable == 0);
        looksInVain = areTasksWaiting && inVain ? looksInVain + 1 : 0;
        boolean isPressed = looksInVain >= PATIENCE_LOOKS && runnable < 2 * workers;
        boolean isOneMore = (isShort || isPressed) && standing < MAX_COUNT;
        wanted = Math.max(stuck + stuckStandIns, isOneMore ? standing + 1 : 0);
        if (isOneMore) {
            looksInVain = 0;
            start();
        }
    }

    /** Those that there are end with the task in hand, as workers are idle. */
    void retire() {
        wanted = 0;
    }

    /** Whether a thread waits for something other than the processor. */
    static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }

    private void start() {
        Runnable first = tasks.get();
        if (first == null) {
            return;
        }
        count.incrementAndGet();
        StandIn made = new StandIn(first);
        try {
            threads.execute(made);
        } catch (RejectedExecutionException closed) {
            made.dropped();
        } catch (Throwable t) {
            made.dropped();
            if (!hasToldOfLack) {
                hasToldOfLack = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no thread can be had to stand in for those that functions keep",
                        t);
            }
        }
    }

    /** Runs tasks on one thread, from this one on; keeps none that has run. */
    private final class StandIn implements DroppableTask {
        private @Nullable Runnable first;

        StandIn(Runnable first) {
            this.first = first;
        }

        @Override
        public void run() {
            Thread thread = Thread.currentThread();
            running.add(thread);
            try {
                Runnable task = first;
                first = null;
                while (task != null) {
                    WorkerPool.runReporting(task);
                    task = null;
                    task = count.get() <= wanted ? tasks.get() : null;
                }
            } finally {
                running.remove(thread);
                count.decrementAndGet();
            }
        }

        @Override
        public void dropped() {
            count.decrementAndGet();
            giveBack.accept(Objects.requireNonNull(first, "a stand-in that has run is not dropped"));
        }
    }
}
