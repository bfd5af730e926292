package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Scheduling, running and disposing at the same moment. */
class SchedulerRaceTest {
    private static final int ROUNDS = 20_000;

    @Test
    @Behaviour({"SCH-5", "SCH-7"})
    void eachTaskEitherRunsOnceOrWasCancelled() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (Scheduler scheduler = Schedulers.eventLoops(2)) {
            List<Disposable> tasks = new ArrayList<>();
            AtomicInteger runs = new AtomicInteger();
            Worker worker = scheduler.createWorker();
            for (int i = 0; i < ROUNDS; i++) {
                Disposable task = random.nextBoolean()
                        ? worker.schedule(runs::incrementAndGet)
                        : worker.schedule(runs::incrementAndGet, Duration.ofNanos(1 + random.nextInt(100_000)));
                tasks.add(task);
                if (random.nextInt(3) == 0) {
                    tasks.get(random.nextInt(tasks.size())).dispose();
                }
            }
            Await.until("all are done, seed " + seed, () -> tasks.stream().allMatch(Disposable::isDisposed));
            assertThat(runs.get()).as("seed " + seed).isBetween(ROUNDS / 2, ROUNDS);
        }
    }

    @Test
    @Behaviour("SCH-6")
    void anInterruptHitsTheDisposedTaskAndNoOther() throws Exception {
        try (Scheduler scheduler = Schedulers.interruptibleFrom(ForkJoinPool.commonPool())) {
            Worker worker = scheduler.createWorker();
            AtomicInteger leaked = new AtomicInteger();
            for (int i = 0; i < ROUNDS; i++) {
                CountDownLatch started = new CountDownLatch(1);
                CountDownLatch following = new CountDownLatch(1);
                Disposable task = worker.schedule(started::countDown);
                worker.schedule(() -> {
                    if (Thread.currentThread().isInterrupted()) {
                        leaked.incrementAndGet();
                    }
                    following.countDown();
                });
                assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
                task.dispose();
                assertThat(following.await(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(leaked).hasValue(0);
        }
    }

    @Test
    @Behaviour("SCH-6")
    void disposingFromOutsideInterruptsOnlyWhereThatIsTheSetting() throws Exception {
        Duration generous = Duration.ofSeconds(20);
        assertThat(isInterrupted(Schedulers.interruptibleFrom(ForkJoinPool.commonPool()), generous))
                .isTrue();
        assertThat(isInterrupted(Schedulers.cachedThreads(Duration.ofSeconds(5)), generous))
                .isTrue();
        Duration awhile = Duration.ofMillis(200);
        assertThat(isInterrupted(Schedulers.from(ForkJoinPool.commonPool()), awhile))
                .isFalse();
        assertThat(isInterrupted(Schedulers.single(), awhile)).isFalse();
    }

    private static boolean isInterrupted(Scheduler scheduler, Duration within) throws Exception {
        try (scheduler) {
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            AtomicReference<Boolean> interrupted = new AtomicReference<>(false);
            Disposable task = scheduler.schedule(() -> {
                started.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                    Thread.currentThread().interrupt();
                }
                done.countDown();
            });
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            task.dispose();
            if (!done.await(within.toNanos(), TimeUnit.NANOSECONDS)) {
                gate.countDown();
            }
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
            return interrupted.get();
        }
    }

    @Test
    @Behaviour("SCH-15")
    void aRejectingExecutorThrowsAndALateTimerIsReported() {
        RejectedExecutionException refusal = new RejectedExecutionException("full");
        try (Scheduler scheduler = Schedulers.from(task -> {
            throw refusal;
        })) {
            assertThatThrownBy(() -> scheduler.schedule(() -> {})).isSameAs(refusal);
            Worker worker = scheduler.createWorker();
            assertThatThrownBy(() -> worker.schedule(() -> {})).isSameAs(refusal);
            List<Throwable> reported = new CopyOnWriteArrayList<>();
            Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
            try {
                Disposable late = worker.schedule(() -> {}, Duration.ofMillis(1));
                Await.until("the refusal was reported", () -> reported.contains(refusal));
                assertThat(late.isDisposed()).isTrue();
            } finally {
                Thread.setDefaultUncaughtExceptionHandler(before);
            }
        }
    }

    @Test
    @Behaviour("SCH-12")
    void fiftyNestedBlockingHopsFinishAndIdleThreadsAreReused() throws Exception {
        try (Scheduler scheduler = Schedulers.cachedThreads(Duration.ofMinutes(5))) {
            hop(scheduler, 50);
            AtomicReference<Thread> thread = new AtomicReference<>();
            CountDownLatch ran = new CountDownLatch(1);
            scheduler.schedule(() -> {
                thread.set(Thread.currentThread());
                ran.countDown();
            });
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Integer.parseInt(thread.get().getName().replaceAll(".*-", "")))
                    .as("the thread is one of the first fifty")
                    .isLessThanOrEqualTo(50);
        }
        try (Scheduler scheduler = Schedulers.elastic()) {
            hop(scheduler, 50);
        }
    }

    @Test
    @Behaviour("SCH-12")
    void idleThreadsAreEvicted() {
        try (Scheduler scheduler = Schedulers.cachedThreads(Duration.ofMillis(50))) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            scheduler.schedule(() -> thread.set(Thread.currentThread()));
            Await.until(
                    "the idle thread has ended",
                    () -> thread.get() != null && !thread.get().isAlive());
        }
    }

    private static void hop(Scheduler scheduler, int hops) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        scheduler.schedule(() -> {
            if (hops > 1) {
                hopUnchecked(scheduler, hops - 1);
            }
            done.countDown();
        });
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static void hopUnchecked(Scheduler scheduler, int hops) {
        try {
            hop(scheduler, hops);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at hop " + hops, e);
        }
    }

    @Test
    @Behaviour({"SCH-1", "SCH-2", "SCH-3"})
    void theTrampolineRunsOnTheCallerInOrder() {
        try (Scheduler scheduler = Schedulers.trampoline()) {
            Worker worker = scheduler.createWorker();
            List<String> order = new ArrayList<>();
            Duration delay = Duration.ofMillis(20);
            boolean[] isInTime = {false};
            while (!isInTime[0]) {
                order.clear();
                worker.schedule(() -> {
                    long begun = System.nanoTime();
                    worker.schedule(() -> order.add("delayed"), delay);
                    worker.schedule(() -> order.add("after"));
                    order.add("first");
                    isInTime[0] = System.nanoTime() - begun < delay.toNanos();
                });
            }
            assertThat(order).containsExactly("first", "after", "delayed");
        }
    }

    @Test
    @Behaviour("SCH-4")
    void theTrampolineCarriesAMillionSelfReschedulesOnTheSameStack() {
        try (Scheduler scheduler = Schedulers.trampoline()) {
            Worker worker = scheduler.createWorker();
            int[] hops = {0};
            worker.schedule(new Runnable() {
                @Override
                public void run() {
                    if (++hops[0] < 1_000_000) {
                        worker.schedule(this);
                    }
                }
            });
            assertThat(hops[0]).isEqualTo(1_000_000);
        }
    }

    @Test
    void anInterruptKeepsNobodyWhoWaitsForATimerFromParking() throws Exception {
        try (Scheduler scheduler = Schedulers.trampoline()) {
            Worker worker = scheduler.createWorker();
            AtomicInteger stillInterrupted = new AtomicInteger();
            Thread waiting = new Thread(() -> {
                Thread.currentThread().interrupt();
                worker.schedule(() -> {}, Duration.ofHours(1));
                stillInterrupted.set(Thread.currentThread().isInterrupted() ? 1 : -1);
            });
            waiting.start();
            awaitParked(waiting);
            waiting.interrupt();
            awaitParked(waiting);
            worker.dispose();
            waiting.join(20_000);
            assertThat(stillInterrupted).hasValue(1);
        }
    }

    /** A thread that tries to park over and over is seen between two of its tries. */
    private static void awaitParked(Thread waiting) {
        int[] inARow = {0};
        Await.until("it parks for good", () -> {
            inARow[0] = waiting.getState() == Thread.State.TIMED_WAITING ? inARow[0] + 1 : 0;
            return inARow[0] == 500;
        });
    }

    @Test
    @Behaviour("SCH-5")
    void aWorkerWithAThreadOfItsOwnThrowsNothingWhenItIsDisposedAtThatMoment() throws Exception {
        AtomicReference<Worker> toDispose = new AtomicReference<>();
        AtomicBoolean isOver = new AtomicBoolean();
        Thread disposer = new Thread(() -> {
            while (!isOver.get()) {
                Worker worker = toDispose.getAndSet(null);
                if (worker != null) {
                    worker.dispose();
                }
                Thread.onSpinWait();
            }
        });
        disposer.start();
        try (Scheduler scheduler = Schedulers.newThread()) {
            for (int i = 0; i < ROUNDS / 20; i++) {
                Worker worker = scheduler.createWorker();
                Duration delay = i % 2 == 0 ? Duration.ZERO : Duration.ofDays(1);
                toDispose.set(worker);
                while (worker.schedule(() -> {}, delay) != Disposable.disposed()) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            isOver.set(true);
            disposer.join();
        }
    }

    /** A lane that is disposed while it looks whether its scheduler was shut down, or while it queues a task. */
    private static final class DisposedMeanwhile extends Lane {
        private final boolean whileItLooks;
        private boolean closed;

        DisposedMeanwhile(boolean whileItLooks) {
            this.whileItLooks = whileItLooks;
        }

        @Override
        void runSoon(Task task) {
            dispose();
            throw new RejectedExecutionException("the scheduler is shut down");
        }

        @Override
        void runAtDeadline(Task task) {
            runSoon(task);
        }

        @Override
        boolean isClosed() {
            if (whileItLooks) {
                dispose();
            }
            return closed;
        }

        @Override
        void disposing(boolean hadTimers) {
            closed = true;
        }
    }

    @Test
    @Behaviour("SCH-5")
    void aWorkerThatIsDisposedWhileItSchedulesAnswersThatItIs() {
        for (boolean whileItLooks : new boolean[] {true, false}) {
            assertThat(new DisposedMeanwhile(whileItLooks).schedule(() -> {})).isSameAs(Disposable.disposed());
            assertThat(new DisposedMeanwhile(whileItLooks).schedule(() -> {}, Duration.ofDays(1)))
                    .isSameAs(Disposable.disposed());
        }
    }
}
