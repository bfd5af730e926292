package io.millrace.streams.engine.pool;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolStressTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final WorkerPool pool =
            new WorkerPool("pool-test", 3, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void noTaskIsStrandedHoweverWorkersFallAsleepAndWake() throws Exception {
        assertThatNoneIsStranded(pool);
    }

    @Test
    void noTaskIsStrandedThoughWorkersSleepWithoutASearch() throws Exception {
        WorkerPool hasty = new WorkerPool("pool-test-hasty", 3, Duration.ZERO, Elsewhere.NOWHERE);
        try {
            assertThatNoneIsStranded(hasty);
        } finally {
            hasty.close();
        }
    }

    private static void assertThatNoneIsStranded(WorkerPool pool) throws InterruptedException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long deadline = System.nanoTime() + STRESS_NANOS;
        while (System.nanoTime() - deadline < 0) {
            int tasks = 1 + random.nextInt(4);
            CountDownLatch done = new CountDownLatch(tasks);
            for (int i = 0; i < tasks; i++) {
                pool.execute(done::countDown);
            }
            await(done, "stranded, seed " + seed);
            int pause = random.nextInt(4);
            if (pause == 0) {
                LockSupport.parkNanos(random.nextInt(100_000));
            }
        }
    }

    @Test
    void moreTasksThanTheRingHoldsAllRun() throws Exception {
        int tasks = 50_000;
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(tasks);
        for (int i = 0; i < 3; i++) {
            pool.execute(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (int i = 0; i < tasks; i++) {
            pool.execute(done::countDown);
        }
        gate.countDown();
        await(done, "all tasks");
    }

    @Test
    void aTaskThatComesBackForEverLeavesTheOthersTheirTurn() throws Exception {
        WorkerPool single =
                new WorkerPool("pool-test-single", 1, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE);
        CountDownLatch turns = new CountDownLatch(1_000);
        single.execute(new Runnable() {
            @Override
            public void run() {
                turns.countDown();
                single.runNext(this); // refused once the pool is closed
            }
        });
        await(turns, "many turns of the one");
        CountDownLatch done = new CountDownLatch(1);
        single.execute(done::countDown);
        await(done, "the other task");
        single.close();
    }

    @Test
    void aTaskThatRunsNextBehindAnEndlessOneIsStolen() throws Exception {
        for (int round = 0; round < 20; round++) {
            CountDownLatch given = new CountDownLatch(1);
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            pool.execute(() -> {
                pool.runNext(given::countDown);
                try {
                    await(gate, "the gate");
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                ended.countDown();
            });
            await(given, "the task that runs next");
            gate.countDown();
            await(ended, "the other");
            LockSupport.parkNanos(round * 1_000_000L);
        }
    }

    /** Where the worker is held up, the monitor may give what is queued to others first, so once in several times will do. */
    @Test
    void oneTaskForEachTaskMayRunNext() throws Exception {
        List<String> order = orderOfWhatRunsNext();
        for (int i = 0; i < 100 && !order.equals(List.of("next", "queued", "not next")); i++) {
            order = orderOfWhatRunsNext();
        }
        assertThat(order).containsExactly("next", "queued", "not next");
    }

    private static List<String> orderOfWhatRunsNext() throws InterruptedException {
        WorkerPool single =
                new WorkerPool("pool-test-single", 1, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE);
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(3);
        single.execute(() -> {
            single.execute(() -> add(order, "queued", done));
            single.runNext(() -> add(order, "next", done));
            single.runNext(() -> add(order, "not next", done));
        });
        await(done, "all");
        single.close();
        return order;
    }

    private static void add(List<String> order, String name, CountDownLatch done) {
        order.add(name);
        done.countDown();
    }

    @Test
    void requeuedTasksRunAgain() throws Exception {
        int tasks = 5;
        CountDownLatch done = new CountDownLatch(tasks * 1_000);
        for (int i = 0; i < tasks; i++) {
            AtomicInteger left = new AtomicInteger(1_000);
            pool.execute(new Runnable() {
                @Override
                public void run() {
                    done.countDown();
                    if (left.decrementAndGet() > 0) {
                        pool.requeue(this);
                    }
                }
            });
        }
        await(done, "all turns of all tasks");
    }

    @Test
    void aTaskThatThrowsEndsNoThread() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            pool.execute(() -> {
                ran.incrementAndGet();
                throw new IllegalStateException("thrown on purpose");
            });
        }
        Await.until("all have run", () -> ran.get() == 20);
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(done::countDown);
        await(done, "a task after them");
    }

    @Test
    void closingRunsWhatWasGivenRefusesTheRestAndEndsTheThreads() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        Thread[] worker = new Thread[1];
        for (int i = 0; i < 1000; i++) {
            pool.execute(() -> {
                worker[0] = Thread.currentThread();
                ran.incrementAndGet();
            });
        }
        pool.close();
        Await.until("all have run", () -> ran.get() == 1000);
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        worker[0].join(20_000);
        assertThat(worker[0].isAlive()).isFalse();
    }
}
