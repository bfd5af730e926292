package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import java.lang.Thread.State;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Which worker is woken for tasks behind one that does not end. */
class WorkerPoolTest {
    private static final int WORKERS = 4;

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private WorkerPool pool = new WorkerPool(
            "pool-run-next-test", WORKERS, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE, this::start);

    private void start(Thread thread) {
        threads.add(thread);
        thread.start();
    }

    @AfterEach
    void close() {
        release.countDown();
        pool.close();
    }

    private static void await(CountDownLatch latch, String what) throws InterruptedException {
        assertThat(latch.await(10, TimeUnit.SECONDS)).as(what).isTrue();
    }

    /** A task that does not end by itself, as a stage that blocks. */
    private void blockUntilReleased() {
        waitFor(release);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Has all threads started and gone to sleep. */
    private void startAll() throws Exception {
        CyclicBarrier together = new CyclicBarrier(WORKERS + 1);
        for (int i = 0; i < WORKERS; i++) {
            pool.execute(() -> meet(together));
        }
        together.await(20, TimeUnit.SECONDS);
        Await.until("all sleep", () -> threads.stream().allMatch(thread -> thread.getState() == State.WAITING));
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @RepeatedTest(5)
    void aRequeuedTaskDoesNotWaitForTheOneThatRunsNext() throws Exception {
        startAll();
        CountDownLatch again = new CountDownLatch(1);
        pool.execute(() -> pool.runNext(() -> {
            pool.runNext(this::blockUntilReleased);
            pool.requeue(again::countDown);
        }));
        await(again, "the requeued task");
    }

    @Test
    void tasksThatRunNextBehindEndlessOnesAreStolenThoughTheyAreEndlessThemselves() throws Exception {
        startAll();
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                pool.runNext(() -> {
                    both.countDown();
                    blockUntilReleased();
                });
                blockUntilReleased();
            });
        }
        await(both, "both tasks that run next");
    }

    @Test
    void aTaskThatRunsNextIsStolenThoughTheWorkerWokenForItHasFoundAnEndlessTaskFirst() throws Exception {
        startAll();
        CountDownLatch next = new CountDownLatch(1);
        pool.execute(() -> {
            pool.runNext(next::countDown);
            pool.execute(this::blockUntilReleased);
            blockUntilReleased();
        });
        await(next, "the task that runs next");
    }

    @Test
    void aThreadThatCannotBeStartedKeepsNobodyFromBeingWokenLater() throws Exception {
        AtomicInteger refusals = new AtomicInteger(1);
        pool = new WorkerPool(
                "pool-start-test", WORKERS, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE, thread -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("no thread, on purpose");
                    }
                    start(thread);
                });
        AtomicInteger ran = new AtomicInteger();
        assertThatThrownBy(() -> pool.execute(ran::incrementAndGet))
                .hasMessageContaining("thread 1 of 4")
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
        pool.execute(ran::incrementAndGet);
        Await.until("both tasks have run", () -> ran.get() == 2);
        startAll();
    }

    @Test
    void aThreadThatCannotBeStartedFailsNobodyWhileThereAreOthers() throws Exception {
        AtomicInteger started = new AtomicInteger();
        pool = new WorkerPool(
                "pool-start-test", 2, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE, thread -> {
                    if (started.getAndIncrement() > 0) {
                        throw new OutOfMemoryError("no second thread, on purpose");
                    }
                    thread.setUncaughtExceptionHandler((where, failure) -> {
                        throw new IllegalStateException("a broken handler, on purpose", failure);
                    });
                    thread.start();
                });
        CountDownLatch done = new CountDownLatch(2);
        pool.execute(() -> {
            pool.execute(done::countDown);
            done.countDown();
        });
        await(done, "both tasks");
        assertThat(started.get()).isGreaterThan(1);
    }

    @Test
    void aTaskThatThrowsEndsNoThreadThoughTheHandlerThrowsToo() throws Exception {
        for (boolean same : new boolean[] {false, true}) {
            WorkerPool single = new WorkerPool(
                    "pool-handler-test", 1, RuntimeSettings.defaults().idleSearch(), Elsewhere.NOWHERE);
            Thread[] ran = new Thread[2];
            CountDownLatch done = new CountDownLatch(1);
            single.execute(() -> {
                ran[0] = Thread.currentThread();
                ran[0].setUncaughtExceptionHandler((where, failure) -> {
                    throw same ? (IllegalStateException) failure : new IllegalStateException("a broken handler");
                });
                throw new IllegalStateException("thrown on purpose");
            });
            single.execute(() -> {
                ran[1] = Thread.currentThread();
                done.countDown();
            });
            await(done, "the task after it");
            assertThat(ran[1]).isSameAs(ran[0]);
            single.close();
        }
    }
}
