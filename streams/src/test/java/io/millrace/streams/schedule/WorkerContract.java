package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every scheduler with threads keeps to. */
abstract class WorkerContract {
    private static final int HOPS = 1_000_000;
    private static final Duration LONG = Duration.ofDays(1);

    private final Scheduler scheduler = newScheduler();
    private final Worker worker = scheduler.createWorker();

    /** Plain on purpose: the worker makes it visible from task to task. */
    private int plain;

    abstract Scheduler newScheduler();

    @AfterEach
    void shutDown() {
        scheduler.shutdown();
    }

    private static void await(CountDownLatch latch) {
        Await.until("the latch is open", () -> latch.getCount() == 0);
    }

    @Test
    @Behaviour({"SCH-1", "SCH-4"})
    void oneMillionSelfReschedulesSeeEachOthersPlainWrites() {
        CountDownLatch done = new CountDownLatch(1);
        worker.schedule(new Runnable() {
            @Override
            public void run() {
                if (++plain < HOPS) {
                    worker.schedule(this);
                } else {
                    done.countDown();
                }
            }
        });
        await(done);
        assertThat(plain).isEqualTo(HOPS);
    }

    @Test
    @Behaviour("SCH-1")
    void tasksFromManyThreadsNeverOverlapAndKeepEachThreadsOrder() throws Exception {
        int[] last = new int[4];
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(4 * 5000);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int index = t;
            threads[t] = new Thread(() -> {
                for (int i = 1; i <= 5000; i++) {
                    int number = i;
                    worker.schedule(() -> {
                        boolean alone = inside.incrementAndGet() == 1;
                        if (!alone || last[index] != number - 1) {
                            wrong.incrementAndGet();
                        }
                        last[index] = number;
                        inside.decrementAndGet();
                        done.countDown();
                    });
                }
            });
            threads[t].start();
        }
        await(done);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).hasValue(0);
    }

    @Test
    @Behaviour("SCH-2")
    void aTaskScheduledWithinATaskRunsAfterIt() {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        worker.schedule(() -> {
            worker.schedule(() -> {
                order.add("inner");
                done.countDown();
            });
            order.add("outer");
        });
        await(done);
        assertThat(order).containsExactly("outer", "inner");
    }

    @Test
    @Behaviour("SCH-3")
    void delayedTasksRunByDeadlineWhileImmediateOnesKeepComing() {
        AtomicBoolean isOver = new AtomicBoolean();
        Runnable flood = new Runnable() {
            @Override
            public void run() {
                if (!isOver.get()) {
                    worker.schedule(this);
                }
            }
        };
        worker.schedule(flood);
        assertThat(orderOfThree()).containsExactly("first", "second", "third");
        isOver.set(true);
    }

    /** The deadlines are in order only if it took less than their distance to schedule the three; else it tries again. */
    private List<String> orderOfThree() {
        long distanceNanos = TimeUnit.MILLISECONDS.toNanos(20);
        List<String> order;
        CountDownLatch done;
        long begunNanos;
        do {
            List<String> runs = new CopyOnWriteArrayList<>();
            CountDownLatch three = new CountDownLatch(3);
            begunNanos = System.nanoTime();
            worker.schedule(() -> add(runs, "third", three), Duration.ofNanos(3 * distanceNanos));
            worker.schedule(() -> add(runs, "first", three), Duration.ofNanos(distanceNanos));
            worker.schedule(() -> add(runs, "second", three), Duration.ofNanos(2 * distanceNanos));
            order = runs;
            done = three;
        } while (System.nanoTime() - begunNanos >= distanceNanos);
        await(done);
        return order;
    }

    private static void add(List<String> order, String name, CountDownLatch done) {
        order.add(name);
        done.countDown();
    }

    @Test
    void noTaskIsRefusedAtOnce() {
        for (Duration delay : List.of(Duration.ZERO, LONG)) {
            assertThatThrownBy(() -> worker.schedule(null, delay)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> worker.schedulePeriodically(null, delay, LONG))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> scheduler.schedule(null, delay)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> scheduler.schedulePeriodically(null, delay, LONG))
                    .isInstanceOf(NullPointerException.class);
        }
        assertThatThrownBy(() -> worker.schedule(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> scheduler.schedule(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @Behaviour({"SCH-5", "SCH-7"})
    void aTaskDisposedBeforeItStartsNeverRuns() {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        worker.schedule(() -> await(gate));
        Disposable task = worker.schedule(runs::incrementAndGet);
        Disposable delayed = worker.schedule(runs::incrementAndGet, Duration.ofMillis(1));
        task.dispose();
        task.dispose();
        delayed.dispose();
        assertThat(task.isDisposed()).isTrue();
        CountDownLatch done = new CountDownLatch(1);
        worker.schedule(done::countDown, Duration.ofMillis(20));
        gate.countDown();
        await(done);
        assertThat(runs).hasValue(0);
    }

    @Test
    @Behaviour("SCH-5")
    void disposingAWorkerSilencesItsTasksAndRefusesNewOnes() {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        worker.schedule(() -> {
            entered.countDown();
            await(gate);
            left.countDown();
        });
        worker.schedule(runs::incrementAndGet);
        worker.schedule(runs::incrementAndGet, Duration.ofMillis(1));
        worker.schedulePeriodically(runs::incrementAndGet, Duration.ZERO, Duration.ZERO);
        await(entered);
        worker.schedule(worker::dispose);
        worker.dispose();
        gate.countDown();
        assertThat(worker.schedule(runs::incrementAndGet).isDisposed()).isTrue();
        assertThat(worker.schedule(runs::incrementAndGet, LONG).isDisposed()).isTrue();
        assertThat(worker.isDisposed()).isTrue();
        Worker other = scheduler.createWorker();
        CountDownLatch done = new CountDownLatch(1);
        other.schedule(done::countDown, Duration.ofMillis(20));
        await(done);
        assertThat(runs).hasValue(0);
    }

    @Test
    @Behaviour("SCH-6")
    void disposingInsideRunDoesNotInterrupt() {
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        worker.schedule(() -> {
            worker.dispose();
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
            done.countDown();
        });
        await(done);
        assertThat(interrupted).hasValue(0);
    }

    @Test
    @Behaviour("SCH-10")
    void aPeriodicTaskRunsUntilItIsDisposedFromInside() {
        AtomicInteger runs = new AtomicInteger();
        Disposable[] task = new Disposable[1];
        CountDownLatch set = new CountDownLatch(1);
        task[0] = worker.schedulePeriodically(
                () -> {
                    await(set);
                    if (runs.incrementAndGet() == 3) {
                        task[0].dispose();
                    }
                },
                Duration.ofMillis(1),
                Duration.ofMillis(1));
        set.countDown();
        Await.until("three runs", () -> runs.get() == 3 && task[0].isDisposed());
        CountDownLatch later = new CountDownLatch(1);
        worker.schedule(later::countDown, Duration.ofMillis(20));
        await(later);
        assertThat(runs).hasValue(3);
    }

    @Test
    @Behaviour("SCH-10")
    void aPeriodOfZeroLetsOthersHaveTheirTurn() {
        CountDownLatch runs = new CountDownLatch(1000);
        CountDownLatch other = new CountDownLatch(1);
        Disposable task = worker.schedulePeriodically(runs::countDown, Duration.ZERO, Duration.ZERO);
        worker.schedule(other::countDown);
        await(runs);
        await(other);
        task.dispose();
    }

    @Test
    @Behaviour({"SCH-1", "SCH-10"})
    void aPeriodicTaskWithoutInitialDelayKeepsItsTurn() {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(2);
        worker.schedule(() -> {
            worker.schedulePeriodically(() -> add(order, "periodic", done), Duration.ZERO, LONG);
            worker.schedule(() -> add(order, "after it", done));
        });
        await(done);
        assertThat(order).containsExactly("periodic", "after it");
    }

    @Test
    @Behaviour({"SCH-10", "SCH-13"})
    void whatATaskThrowsIsReportedAndAPeriodicOneStops() {
        AtomicInteger runs = new AtomicInteger();
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        OutOfMemoryError failure = new OutOfMemoryError("simulated");
        Disposable task = worker.schedulePeriodically(
                () -> {
                    Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
                    runs.incrementAndGet();
                    throw failure;
                },
                Duration.ZERO,
                Duration.ofMillis(1));
        Await.until("it was reported", () -> !reported.isEmpty());
        CountDownLatch later = new CountDownLatch(1);
        worker.schedule(later::countDown, Duration.ofMillis(20));
        await(later);
        assertThat(reported).containsExactly(failure);
        assertThat(runs).hasValue(1);
        assertThat(task.isDisposed()).isTrue();
    }

    @Test
    @Behaviour("SCH-10")
    void aHandlerThatThrowsWhatItIsToldEndsNoThread() {
        CountDownLatch threw = new CountDownLatch(1);
        worker.schedule(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
                threw.countDown();
                throw (IllegalStateException) thrown;
            });
            throw new IllegalStateException("simulated");
        });
        await(threw);
        for (int i = 0; i < 100; i++) {
            CountDownLatch later = new CountDownLatch(1);
            worker.schedule(later::countDown);
            await(later);
        }
    }

    @Test
    @Behaviour("SCH-11")
    void afterAShutdownEveryFormIsRefusedAndAStartWorksAgain() {
        Runnable nothing = () -> {};
        scheduler.schedule(nothing);
        scheduler.shutdown();
        scheduler.shutdown();
        assertThatThrownBy(() -> scheduler.schedule(nothing)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> scheduler.schedule(nothing, LONG)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> scheduler.schedulePeriodically(nothing, LONG, LONG))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> worker.schedule(nothing)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> worker.schedule(nothing, LONG)).isInstanceOf(RejectedExecutionException.class);
        scheduler.start();
        scheduler.start();
        CountDownLatch done = new CountDownLatch(3);
        scheduler.schedule(done::countDown);
        scheduler.schedule(done::countDown, Duration.ofMillis(1));
        scheduler.createWorker().schedule(done::countDown);
        await(done);
    }

    /** Counts how often it ran and how often it was told that it would not. */
    private static final class Told implements DroppableTask {
        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger drops = new AtomicInteger();

        @Override
        public void run() {
            runs.incrementAndGet();
        }

        @Override
        public void dropped() {
            drops.incrementAndGet();
        }
    }

    @Test
    @Behaviour("SCH-11")
    void aShutdownTellsTheTasksThatItDrops() {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        Told ran = new Told();
        worker.schedule(ran);
        worker.schedule(() -> {
            entered.countDown();
            await(gate);
        });
        await(entered);
        Told disposed = new Told();
        List<Told> dropped = new ArrayList<>();
        worker.schedule(disposed).dispose();
        for (int i = 0; i < 2 * EventLoop.TURN_TASKS; i++) {
            Told task = new Told();
            worker.schedule(task);
            dropped.add(task);
        }
        scheduler.shutdown();
        gate.countDown();
        Await.until("all were told", () -> dropped.stream().allMatch(task -> task.drops.get() > 0));
        assertThat(dropped).allMatch(task -> task.drops.get() == 1 && task.runs.get() == 0);
        assertThat(ran.runs).hasValue(1);
        assertThat(List.of(ran.drops.get(), disposed.runs.get(), disposed.drops.get()))
                .containsOnly(0);
    }

    @Test
    @Behaviour("SCH-11")
    void aShutdownDropsWhatWaits() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        worker.schedule(() -> {
            entered.countDown();
            await(gate);
            left.countDown();
        });
        await(entered);
        Disposable queued = worker.schedule(runs::incrementAndGet);
        Disposable delayed = worker.schedule(runs::incrementAndGet, Duration.ofMillis(1));
        scheduler.shutdown();
        gate.countDown();
        assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
        Await.until("both were dropped", () -> queued.isDisposed() && delayed.isDisposed());
        assertThat(runs).hasValue(0);
    }

    @Test
    @Behaviour("SCH-7")
    void aHandleThatIsKeptKeepsNoLaterTask() {
        CountDownLatch done = new CountDownLatch(3);
        Disposable first = worker.schedule(done::countDown);
        WeakReference<Disposable> second = new WeakReference<>(worker.schedule(done::countDown));
        worker.schedule(done::countDown, Duration.ofNanos(1));
        await(done);
        CountDownLatch later = new CountDownLatch(1);
        worker.schedule(later::countDown);
        await(later);
        Await.until("the second is garbage", () -> {
            System.gc();
            return second.get() == null;
        });
        assertThat(first.isDisposed()).isTrue();
    }

    @Test
    @Behaviour("SCH-3")
    void equalDelaysKeepTheirOrder() {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(500);
        for (int i = 0; i < 500; i++) {
            int number = i;
            worker.schedule(
                    () -> {
                        order.add(number);
                        done.countDown();
                    },
                    Duration.ofMillis(5));
        }
        await(done);
        assertThat(order).hasSize(500).isSorted();
    }

    @Test
    @Behaviour("SCH-3")
    void timersOfManyThreadsAreNeverEarlyAndThoseOfEachKeepTheirOrder() {
        int threads = 4;
        int timers = 20_000;
        CountDownLatch done = new CountDownLatch(threads * timers);
        AtomicInteger early = new AtomicInteger();
        AtomicInteger overtaking = new AtomicInteger();
        for (int t = 0; t < threads; t++) {
            long waitNanos = 1_000L * (t + 1) * (t + 1) * (t + 1);
            int[] last = {-1};
            new Thread(() -> {
                        for (int i = 0; i < timers; i++) {
                            int number = i;
                            long due = System.nanoTime() + waitNanos;
                            Runnable check = () -> {
                                early.addAndGet(System.nanoTime() - due < 0 ? 1 : 0);
                                overtaking.addAndGet(number == last[0] + 1 ? 0 : 1);
                                last[0] = number;
                                done.countDown();
                            };
                            worker.schedule(check, Duration.ofNanos(waitNanos));
                        }
                    })
                    .start();
        }
        await(done);
        assertThat(early).as("early").hasValue(0);
        assertThat(overtaking).as("out of order").hasValue(0);
    }

    @Test
    @Behaviour("SCH-3")
    void timersThatAreAlwaysDueLeaveRoomForImmediateTasks() {
        CountDownLatch immediate = new CountDownLatch(1000);
        Disposable[] floods = new Disposable[20];
        for (int i = 0; i < floods.length; i++) {
            floods[i] = worker.schedulePeriodically(() -> {}, Duration.ofNanos(1), Duration.ofNanos(1));
        }
        worker.schedule(new Runnable() {
            @Override
            public void run() {
                immediate.countDown();
                if (immediate.getCount() > 0) {
                    worker.schedule(this);
                }
            }
        });
        await(immediate);
        for (Disposable flood : floods) {
            flood.dispose();
        }
    }

    @Test
    @Behaviour("SCH-7")
    void theHandleOfATaskThatIsOverDoesNotHoldItsPayload() {
        List<WeakReference<Object>> payloads = new ArrayList<>();
        CountDownLatch ran = new CountDownLatch(1);
        Disposable finished = worker.schedule(holding(payloads, ran::countDown));
        Disposable cancelled = worker.schedule(holding(payloads, () -> {}), LONG);
        Disposable stopped = worker.schedulePeriodically(holding(payloads, () -> {}), LONG, LONG);
        cancelled.dispose();
        stopped.dispose();
        await(ran);
        Disposable dropped = worker.schedule(holding(payloads, () -> {}), LONG);
        worker.dispose();
        assertThat(dropped.isDisposed()).isTrue();
        Await.until("the payloads are garbage", () -> {
            System.gc();
            return payloads.stream().allMatch(payload -> payload.get() == null);
        });
        assertThat(List.of(finished, cancelled, stopped, dropped)).allMatch(Disposable::isDisposed);
    }

    private static Runnable holding(List<WeakReference<Object>> payloads, Runnable action) {
        byte[] payload = new byte[1024];
        payloads.add(new WeakReference<>(payload));
        return () -> {
            payload[0]++;
            action.run();
        };
    }
}
