package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a shutdown leaves of the tasks that it meets half-way, and whom it tells. */
class ShutdownTest {
    private static final int TASKS = 1000;

    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ThreadFactory watched = task -> {
        Thread thread = new Thread(task, "shutdown-test");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((where, thrown) -> uncaught.add(thrown));
        threads.add(thread);
        return thread;
    };

    private void awaitEndOfThreads() {
        Await.until("the threads have ended", () -> threads.stream().noneMatch(Thread::isAlive));
    }

    private static CountDownLatch occupy(Worker worker) {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        worker.schedule(() -> {
            entered.countDown();
            Await.until("the gate is open", () -> gate.getCount() == 0);
        });
        Await.until("the task has begun", () -> entered.getCount() == 0);
        return gate;
    }

    /** A lane whose first due timer finds that the loop is shut down just then. */
    private static final class ClosingLane extends Lane {
        private final EventLoop loop;

        ClosingLane(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        void runSoon(Task task) {
            loop.close();
            loop.submit(task);
        }

        @Override
        void runAtDeadline(Task task) {
            loop.submit(task);
        }

        @Override
        boolean isClosed() {
            return loop.isClosed();
        }

        @Override
        void disposing(boolean hadTimers) {}
    }

    @Test
    @Behaviour("SCH-11")
    void timersThatAreDueAtTheShutdownOfALoopAreDroppedInSilence() {
        EventLoop loop = new EventLoop(watched);
        CountDownLatch gate = occupy(loop.ownLane());
        AtomicInteger runs = new AtomicInteger();
        Duration wait = Duration.ofMillis(50);
        Disposable first = new ClosingLane(loop).schedule(runs::incrementAndGet, wait);
        List<Disposable> others = new CopyOnWriteArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            others.add(loop.ownLane().schedule(runs::incrementAndGet, wait));
        }
        long due = System.nanoTime() + wait.toNanos();
        Await.until("all are due", () -> System.nanoTime() - due > 0);
        gate.countDown();
        awaitEndOfThreads();
        assertThat(uncaught).isEmpty();
        assertThat(runs).hasValue(0);
        assertThat(first.isDisposed()).isTrue();
        assertThat(others).allMatch(Disposable::isDisposed);
    }

    @Test
    @Behaviour("SCH-11")
    void aWorkerThatIsShutDownInTheMiddleOfItsQueueSaysNothing() {
        Scheduler scheduler = ExecutorScheduler.owning(() -> Executors.newSingleThreadExecutor(watched), false);
        Worker worker = scheduler.createWorker();
        CountDownLatch gate = occupy(worker);
        List<Disposable> tasks = new CopyOnWriteArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(worker.schedule(() -> {}));
        }
        scheduler.shutdown();
        gate.countDown();
        awaitEndOfThreads();
        assertThat(uncaught).isEmpty();
        assertThat(tasks).allMatch(Disposable::isDisposed);
    }

    @Test
    @Behaviour("SCH-15")
    void aTaskForWhichNoThreadCouldBeStartedIsRefusedAndTheNextOneRuns() {
        AtomicInteger attempts = new AtomicInteger();
        EventLoop loop = new EventLoop(task -> {
            if (attempts.getAndIncrement() == 0) {
                throw new OutOfMemoryError("no thread on purpose");
            }
            return watched.newThread(task);
        });
        AtomicInteger runs = new AtomicInteger();
        Lane lane = loop.ownLane();
        assertThatThrownBy(() -> lane.schedule(runs::incrementAndGet)).hasMessage("no thread on purpose");
        Disposable next = lane.schedule(runs::incrementAndGet);
        Await.until("the next one is done", next::isDisposed);
        assertThat(runs).hasValue(1);
        loop.close();
    }

    @Test
    @Behaviour("SCH-15")
    void aTaskThatComesWhileAThreadFailsToStartIsCancelledAndReported() throws Exception {
        OutOfMemoryError failure = new OutOfMemoryError("no thread on purpose");
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        List<Lane> lane = new CopyOnWriteArrayList<>();
        List<Disposable> beside = new CopyOnWriteArrayList<>();
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        EventLoop loop = new EventLoop(task -> {
            if (attempts.getAndIncrement() == 0) {
                Thread other = watched.newThread(() -> beside.add(lane.get(0).schedule(runs::incrementAndGet)));
                other.start();
                Await.until("the other thread has scheduled", () -> !other.isAlive());
                throw failure;
            }
            return watched.newThread(task);
        });
        lane.add(loop.ownLane());
        Thread first = watched.newThread(() -> {
            try {
                loop.ownLane().schedule(runs::incrementAndGet);
            } catch (OutOfMemoryError refused) {
                refusals.add(refused);
            }
        });
        first.start();
        first.join();
        assertThat(refusals).containsExactly(failure);
        assertThat(beside).singleElement().matches(Disposable::isDisposed);
        assertThat(uncaught).containsExactly(failure);
        Disposable next = loop.ownLane().schedule(runs::incrementAndGet);
        Await.until("the next one is done", next::isDisposed);
        assertThat(runs).hasValue(1);
        loop.close();
    }

    @Test
    @Behaviour("SCH-15")
    void aTaskForWhichNoThreadCouldBeStartedLeavesNoWorkerBehind() {
        OutOfMemoryError failure = new OutOfMemoryError("no thread on purpose");
        Duration hour = Duration.ofHours(1);
        try (ThreadScheduler scheduler = new ThreadScheduler(task -> {
            throw failure;
        })) {
            assertThatThrownBy(() -> scheduler.schedule(() -> {})).isSameAs(failure);
            assertThatThrownBy(() -> scheduler.schedule(() -> {}, hour)).isSameAs(failure);
            assertThatThrownBy(() -> scheduler.schedulePeriodically(() -> {}, hour, hour))
                    .isSameAs(failure);
            assertThat(scheduler.liveWorkers()).isZero();
        }
    }

    @Test
    @Behaviour({"SCH-11", "SCH-15"})
    void aTaskThatHasRunIsNotRefusedAfterwards() {
        Executor late = lane -> {
            lane.run();
            throw new RejectedExecutionException("too late");
        };
        AtomicInteger runs = new AtomicInteger();
        try (Scheduler scheduler = Schedulers.from(late)) {
            scheduler.schedule(runs::incrementAndGet);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    @Behaviour("SCH-11")
    void aCallerWhomTheTrampolineHoldsIsReleased() {
        Scheduler scheduler = Schedulers.trampoline();
        AtomicInteger runs = new AtomicInteger();
        Thread caller = watched.newThread(() -> scheduler.schedule(runs::incrementAndGet, Duration.ofDays(1)));
        caller.start();
        Await.until("the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
        scheduler.shutdown();
        awaitEndOfThreads();
        assertThat(runs).hasValue(0);
        assertThat(uncaught).isEmpty();
    }
}
