package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an event loop keeps, and lets go of. */
class EventLoopTest {
    private static final int MANY = 100_000;
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final EventLoop loop = new EventLoop(new DaemonThreads("event-loop-test"));

    @AfterEach
    void close() {
        loop.close();
    }

    private void passOneTurn() {
        CountDownLatch passed = new CountDownLatch(1);
        loop.ownLane().schedule(passed::countDown);
        Await.until("the loop has turned", () -> passed.getCount() == 0);
    }

    @Test
    @Behaviour({"SCH-7", "SCH-8"})
    void disposingAWorkerFreesItsTimersAndTheirPayloads() {
        for (boolean periodic : new boolean[] {false, true}) {
            LoopLane lane = new LoopLane(loop, false);
            Object payload = new Object();
            WeakReference<Object> weak = new WeakReference<>(payload);
            schedule(lane, payload, periodic);
            payload = null;
            passOneTurn();
            assertThat(loop.timerCount()).isEqualTo(MANY);
            lane.dispose();
            Await.until("the heap was compacted", () -> loop.timerCount() < MANY / 2);
            Await.until("the payload is garbage", () -> {
                System.gc();
                return weak.get() == null;
            });
        }
    }

    @Test
    @Behaviour("SCH-7")
    void cancellingWhatIsDueOnABlockedLaneDoesNotCompactTheHeapEachTime() {
        int inHeap = 200;
        List<Disposable> waiting = scheduleMany(loop.ownLane(), inHeap, ONE_DAY);
        Queue<Runnable> given = new ConcurrentLinkedQueue<>();
        Worker blocked = new ExecutorLane(given::add, loop, false);
        List<Disposable> due = scheduleMany(blocked, MANY / 10, Duration.ofNanos(1));
        Await.until("they are due", () -> loop.timerCount() == inHeap && !given.isEmpty());
        int compactions = 0;
        for (Disposable each : due) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            each.dispose();
            if (THREADS.getCurrentThreadAllocatedBytes() > before) { // by the task that compacts
                compactions++;
                passOneTurn();
            }
        }
        assertThat(compactions).isLessThanOrEqualTo(due.size() / (inHeap / 2) + 10);
        for (Runnable lane = given.poll(); lane != null; lane = given.poll()) {
            lane.run();
        }
        waiting.subList(0, inHeap * 3 / 4).forEach(Disposable::dispose);
        Await.until("the heap was compacted", () -> loop.timerCount() < inHeap / 2);
    }

    private static List<Disposable> scheduleMany(Worker worker, int count, Duration delay) {
        List<Disposable> timers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            timers.add(worker.schedule(() -> {}, delay));
        }
        return timers;
    }

    private static void schedule(Worker worker, Object payload, boolean periodic) {
        for (int i = 0; i < MANY; i++) {
            Runnable task = () -> assertThat(payload).isNotNull();
            if (periodic) {
                worker.schedulePeriodically(task, ONE_DAY, ONE_DAY);
            } else {
                worker.schedule(task, ONE_DAY);
            }
        }
    }

    @Test
    @Behaviour("SCH-7")
    void aTaskThatWasTakenLeadsToNoneThatCameAfterIt() {
        CountDownLatch held = new CountDownLatch(1);
        loop.ownLane().schedule(() -> Await.until("all are queued", () -> held.getCount() == 0));
        List<Disposable> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(loop.ownLane().schedule(() -> {}));
        }
        Disposable timer = loop.ownLane().schedulePeriodically(() -> {}, ONE_DAY, ONE_DAY);
        loop.ownLane().schedule(() -> {});
        held.countDown();
        passOneTurn();
        assertThat(runs).extracting(run -> ((Task) run).next).containsOnlyNulls();
        assertThat(((Task) timer).next)
                .as("what would be queued behind the timer")
                .isNull();
    }

    @Test
    @Behaviour({"SCH-7", "SCH-8"})
    void cancelledTimersAreCompactedOnceTheyAreMoreThanHalf() {
        LoopLane lane = new LoopLane(loop, false);
        List<Disposable> tasks = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            tasks.add(lane.schedule(() -> {}, ONE_DAY));
        }
        passOneTurn();
        tasks.subList(0, 400).forEach(Disposable::dispose);
        passOneTurn();
        assertThat(loop.timerCount()).isEqualTo(1000);
        tasks.subList(400, 600).forEach(Disposable::dispose);
        Await.until("the cancelled ones are gone", () -> loop.timerCount() < 600);
        tasks.subList(600, 1000).forEach(Disposable::dispose);
        Await.until("nearly all are gone", () -> loop.timerCount() < 64);
    }

    @Test
    @Behaviour("SCH-9")
    void immediateTasksNeverTouchTheHeap() {
        LoopLane lane = new LoopLane(loop, false);
        lane.schedule(() -> {}, ONE_DAY);
        CountDownLatch done = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            lane.schedule(done::countDown);
        }
        Await.until("all have run", () -> done.getCount() == 0);
        assertThat(loop.timerCount()).isOne();
    }

    @Test
    @Behaviour("SCH-3")
    void theHeapIsOrderedByDeadlineAndThenByArrival() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        TimerHeap heap = new TimerHeap(Integer.MAX_VALUE - 2500); // so that the numbers begin again halfway
        List<Task> added = new ArrayList<>();
        long origin = Long.MAX_VALUE - 50;
        for (int i = 0; i < 5000; i++) {
            Task task = new Task(loop.ownLane(), () -> {}, origin + 1 + random.nextInt(100));
            heap.add(task);
            added.add(task);
            if (random.nextInt(3) == 0) {
                task.dispose();
            }
            if (i % 1000 == 999) {
                heap.compact(added::remove);
            }
        }
        added.sort(Comparator.comparingLong(task -> task.deadlineNanos - origin));
        List<Task> taken = new ArrayList<>();
        for (Task first = heap.first(); first != null; first = heap.first()) {
            taken.add(first);
            heap.removeFirst();
        }
        assertThat(taken).as("seed " + seed).containsExactlyElementsOf(added);
    }

    @Test
    @Behaviour("SCH-10")
    void runsThatWereMissedAreLeftOut() {
        assertThat(PeriodicTask.following(100, 10, 105)).isEqualTo(110);
        assertThat(PeriodicTask.following(100, 10, 110)).isEqualTo(110);
        assertThat(PeriodicTask.following(100, 10, 111)).isEqualTo(120);
        assertThat(PeriodicTask.following(100, 10, 1_000_005)).isEqualTo(1_000_010);
        assertThat(PeriodicTask.following(100, 10, 50)).isEqualTo(110);
        assertThat(PeriodicTask.following(100, 0, 500)).isEqualTo(500);
    }

    /** A lane on whose timers the loop waits as it puts them in place. */
    private final class Hurdle extends Lane {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch taken = new CountDownLatch(1);

        @Override
        void runSoon(Task task) {
            loop.submit(task);
        }

        @Override
        void runAtDeadline(Task task) {
            loop.submit(task);
        }

        @Override
        boolean isClosed() {
            reached.countDown();
            Await.until("the hurdle is taken", () -> taken.getCount() == 0);
            return false;
        }

        @Override
        void disposing(boolean hadTimers) {}

        Task untimed() {
            return Task.timer(this, () -> {}, ONE_DAY.toNanos(), Task.WHEN_ARMED);
        }
    }

    private Task submitted(Task task) {
        loop.submit(task);
        return task;
    }

    @Test
    @Behaviour("SCH-3")
    void aNewTimerKeepsItsWaitUntilItsDeadlineIsSet() {
        Random random = new Random();
        long[] waits = {1, Integer.MAX_VALUE - 1L, Integer.MAX_VALUE, 1L << 31, ONE_DAY.toNanos(), Long.MAX_VALUE / 4};
        for (int i = 0; i < 1000; i++) {
            long wait = i < waits.length ? waits[i] : 1 + (random.nextLong() >>> (2 + random.nextInt(62)));
            long start = random.nextInt(1_000) - 500L;
            long armed = random.nextInt(1_000) - 500L;
            assertThat(deadline(wait, start, armed))
                    .isEqualTo(Task.nonZero(Math.max(Task.nonZero(start), armed) + wait));
            assertThat(deadline(wait, Task.WHEN_ARMED, armed)).isEqualTo(Task.nonZero(armed + wait));
        }
        Task armedAgain = new Task(loop.ownLane(), () -> {}, 17);
        armedAgain.setDeadline(1_000);
        assertThat(armedAgain.deadlineNanos).isEqualTo(17);
    }

    private long deadline(long wait, long start, long armed) {
        Task task = Task.timer(loop.ownLane(), () -> {}, wait, start);
        task.setDeadline(armed);
        task.setDeadline(armed + 1_000); // no more
        return task.deadlineNanos;
    }

    @Test
    @Behaviour("SCH-3")
    void whileTimersArePutInPlaceTheLoopReadsTheClockForThem() {
        Hurdle first = new Hurdle();
        Hurdle second = new Hurdle();
        Lane lane = loop.ownLane();
        long nanos = ONE_DAY.toNanos();
        loop.submit(first.untimed());
        Await.until("the first hurdle", () -> first.reached.getCount() == 0);
        assertThat(loop.isArming()).isTrue();
        long start = System.nanoTime();
        Task untimed = submitted(Task.timer(lane, () -> {}, nanos, Task.WHEN_ARMED));
        Task timed = submitted(Task.timer(lane, () -> {}, nanos, start));
        loop.submit(second.untimed());
        first.taken.countDown();
        Await.until("the second hurdle", () -> second.reached.getCount() == 0);
        assertThat(untimed.deadlineNanos - start).as("the untimed one waits").isGreaterThanOrEqualTo(nanos);
        assertThat(timed.deadlineNanos - untimed.deadlineNanos)
                .as("the timed one after it")
                .isNotNegative();
        long later = System.nanoTime();
        Task last = submitted(Task.timer(lane, () -> {}, nanos, Task.WHEN_ARMED));
        second.taken.countDown();
        passOneTurn();
        assertThat(last.deadlineNanos - later).as("the last one waits").isGreaterThanOrEqualTo(nanos);
        assertThat(loop.isArming()).isFalse();
        assertThat(loop.timerCount()).isEqualTo(5);
    }

    /** A lane that fails where the loop does not run a task of it. */
    private final class Failing extends Lane {
        private final OutOfMemoryError failure = new OutOfMemoryError("simulated");
        private volatile boolean failsToLook;
        private volatile boolean failsToArm;
        private volatile boolean failsToDrop;

        @Override
        void runSoon(Task task) {
            loop.submit(task);
        }

        @Override
        void runAtDeadline(Task task) {
            failIf(failsToArm);
            loop.submit(task);
        }

        @Override
        void dropped(Task task) {
            failIf(failsToDrop);
        }

        private void failIf(boolean fails) {
            if (fails) {
                throw failure;
            }
        }

        @Override
        boolean isClosed() {
            boolean fails = failsToLook;
            failsToLook = false;
            failIf(fails);
            return false;
        }

        @Override
        void disposing(boolean hadTimers) {}
    }

    /** What the loop's thread reports from now on. */
    private List<Throwable> reports() {
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        loop.ownLane()
                .schedule(() ->
                        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown)));
        passOneTurn();
        return reported;
    }

    @Test
    @Behaviour("SCH-15")
    void aTimerThatCannotBePutInPlaceIsCancelledAndReportedAndTheLoopGoesOn() {
        List<Throwable> reported = reports();
        Failing lane = new Failing();
        lane.failsToLook = true;
        Task timer = submitted(Task.timer(lane, () -> {}, ONE_DAY.toNanos(), System.nanoTime()));
        passOneTurn();
        assertThat(reported).containsExactly(lane.failure);
        assertThat(timer.isDisposed()).isTrue();
        assertThat(loop.timerCount()).isZero();
    }

    @Test
    @Behaviour({"SCH-10", "SCH-15"})
    void aPeriodicTaskThatCannotWaitForItsNextRunIsCancelledAndReportedAndTheLoopGoesOn() {
        List<Throwable> reported = reports();
        Failing lane = new Failing();
        Disposable periodic = lane.schedulePeriodically(() -> lane.failsToArm = true, Duration.ofNanos(1), ONE_DAY);
        Await.until("it has run", () -> lane.failsToArm);
        passOneTurn();
        assertThat(reported).containsExactly(lane.failure);
        assertThat(periodic.isDisposed()).isTrue();
    }

    @Test
    @Behaviour("SCH-15")
    void whatIsThrownBetweenTasksIsReportedAndTheLoopGoesOn() {
        List<Throwable> reported = reports();
        Failing lane = new Failing();
        lane.failsToDrop = true;
        Task cancelled = new Task(lane, () -> {}, Task.NO_DEADLINE);
        cancelled.dispose();
        loop.submit(cancelled);
        passOneTurn();
        assertThat(reported).containsExactly(lane.failure);
    }
}
