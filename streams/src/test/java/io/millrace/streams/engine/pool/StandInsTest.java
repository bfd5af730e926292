package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Tries;
import io.millrace.streams.schedule.DroppableTask;
import io.millrace.testkit.Behaviour;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks run though functions block every worker. */
class StandInsTest {
    private static final int WORKERS = 2;

    private final Set<Thread> others = ConcurrentHashMap.newKeySet();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean spins = new AtomicBoolean(true);
    private final WorkerPool pool =
            new WorkerPool("stand-in-test", WORKERS, RuntimeSettings.defaults().idleSearch(), this::runElsewhere);

    private void runElsewhere(Runnable task) {
        Thread thread = new Thread(task, "stand-in");
        thread.setDaemon(true);
        others.add(thread);
        thread.start();
    }

    @AfterEach
    void close() {
        spins.set(false);
        release.countDown();
        pool.close();
    }

    private void block() {
        block(release);
    }

    private static void block(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void runs(Runnable... tasks) throws Exception {
        CountDownLatch done = new CountDownLatch(tasks.length);
        for (Runnable task : tasks) {
            pool.execute(() -> {
                task.run();
                done.countDown();
            });
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private void occupyAll(int count, Runnable function) throws Exception {
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(() -> {
                begun.countDown();
                function.run();
            });
        }
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Behaviour("INT-11")
    void aTaskRunsThoughEveryWorkerIsBlocked() throws Exception {
        occupyAll(WORKERS, this::block);
        runs(() -> {});
    }

    @Test
    @Behaviour("INT-11")
    void aTaskRunsThoughTheStandInsAreBlockedToo() throws Exception {
        occupyAll(20, this::block);
        runs(() -> {});
    }

    @Test
    @Behaviour("INT-11")
    void aTaskRunsThoughEveryWorkerComputes() throws Exception {
        occupyAll(WORKERS, () -> {
            while (spins.get()) {
                Thread.onSpinWait();
            }
        });
        runs(() -> {});
        assertThat(others).isNotEmpty();
    }

    @Test
    @Behaviour("INT-11")
    void aTaskRunsThatComesLongAfterEveryWorkerWasBlocked() throws Exception {
        occupyAll(WORKERS, this::block);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // the monitor sleeps by now
        runs(() -> {});
    }

    /** As an island does whose turn on a stand-in is cut off for long just before its end. */
    @Test
    @Behaviour("INT-11")
    void aTaskThatAStandInRequeuesRunsThoughAllElseIsParkedAgain() throws Exception {
        occupyAll(WORKERS, this::block);
        CountDownLatch handedBack = new CountDownLatch(1);
        pool.execute(() -> requeueOnAStandIn(handedBack));
        assertThat(handedBack.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private void requeueOnAStandIn(CountDownLatch handedBack) {
        if (!others.contains(Thread.currentThread())) {
            pool.execute(() -> requeueOnAStandIn(handedBack));
            block(); // a stand-in had come for one of those before
            return;
        }
        release.countDown();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300)); // workers and monitor sleep by then
        pool.requeue(handedBack::countDown);
    }

    @Test
    @Behaviour("INT-11")
    void aTaskWhoseStandInIsDroppedOrRefusedRunsAllTheSame() throws Exception {
        for (Executor bad : List.<Executor>of(Elsewhere.NOWHERE, task -> ((DroppableTask) task).dropped(), task -> {
            throw new OutOfMemoryError("no thread, on purpose");
        })) {
            WorkerPool alone = new WorkerPool(
                    "stand-in-none", 1, RuntimeSettings.defaults().idleSearch(), bad);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch let = new CountDownLatch(1);
            CountDownLatch ran = new CountDownLatch(3);
            alone.execute(() -> {
                begun.countDown();
                block(let);
            });
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 3; i++) {
                alone.execute(ran::countDown);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30)); // the monitor has looked some times
            let.countDown();
            assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
            alone.close();
        }
    }

    /** A thread that has no memory when it is first put into a set. */
    private static final class ShortOfMemory extends Thread {
        private final AtomicBoolean isShort = new AtomicBoolean(true);

        ShortOfMemory(Runnable task) {
            super(task);
        }

        @Override
        public int hashCode() {
            if (isShort.compareAndSet(true, false)) {
                throw new OutOfMemoryError("no memory on purpose");
            }
            return System.identityHashCode(this);
        }
    }

    @Test
    @Behaviour("INT-11")
    void aTaskRunsThoughThereIsNoMemoryToNoteItsStandIn() throws Exception {
        HandRun hand = new HandRun();
        AtomicInteger ran = new AtomicInteger();
        hand.tasks.add(ran::incrementAndGet);
        hand.standIns.check(1, 1, true, true);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new ShortOfMemory(hand.started.remove());
        thread.setUncaughtExceptionHandler((ended, failure) -> thrown.set(failure));
        thread.start();
        thread.join();
        assertThat(thrown.get()).hasMessage("no memory on purpose");
        assertThat(ran).hasValue(1);
        hand.tasks.add(ran::incrementAndGet);
        hand.standIns.check(1, 1, true, true);
        hand.started.remove().run();
        assertThat(ran).hasValue(2);
    }

    @Test
    void standInsEndWhenTheWorkersAreBack() throws Exception {
        occupyAll(WORKERS + 3, this::block);
        release.countDown();
        runs(() -> {});
        Await.until("they have ended", () -> others.stream().noneMatch(Thread::isAlive));
        Tries.mostlyAtMost(19, this::othersThatComeThoughNobodyBlocks);
    }

    private int othersThatComeThoughNobodyBlocks() throws Exception {
        int before = others.size();
        for (int i = 0; i < 100; i++) {
            runs(() -> {}, () -> {}, () -> {});
        }
        return others.size() - before;
    }

    @Test
    void manyTasksRunOnceEachBesideBlockedWorkers() throws Exception {
        occupyAll(WORKERS, this::block);
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20_000; i++) {
            pool.execute(ran::incrementAndGet);
        }
        Await.until("all have run", () -> ran.get() == 20_000);
        assertThat(others).hasSizeLessThan(2_000);
    }

    @Test
    void aFailureOnAStandInIsReportedAndEndsNothing() throws Exception {
        occupyAll(WORKERS, this::block);
        AtomicInteger reported = new AtomicInteger();
        runs(() -> Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> reported.incrementAndGet()));
        pool.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> reported.incrementAndGet());
            throw new IllegalStateException("on purpose");
        });
        Await.until("it is told", () -> reported.get() == 1);
        runs(() -> {});
    }

    /** Stand-ins whose threads are the calling thread, as often as it runs what they were given. */
    private static final class HandRun {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private final Deque<Runnable> started = new ArrayDeque<>();
        private final StandIns standIns = new StandIns(started::add, tasks::poll, tasks::addFirst);

        void checkInVainUntilOneStarts() {
            int before = started.size();
            Await.until("one has started", () -> {
                standIns.check(WORKERS, 0, true, true);
                return started.size() > before;
            });
        }
    }

    @Test
    @Behaviour("INT-11")
    void aStandInGoesOnWhileTasksWaitAndEveryWorkerComputes() {
        HandRun hand = new HandRun();
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            hand.tasks.add(() -> {
                hand.standIns.check(WORKERS, 0, !hand.tasks.isEmpty(), false);
                ran.incrementAndGet();
            });
        }
        hand.checkInVainUntilOneStarts();
        hand.started.remove().run();
        assertThat(ran).hasValue(10);
    }

    @Test
    void standInsOfWorkersThatWereBlockedEndButForAsManyAsThereAreWorkers() {
        HandRun hand = new HandRun();
        for (int i = 0; i < 10; i++) {
            hand.tasks.add(() -> {});
            hand.standIns.check(10, 10, true, true);
        }
        assertThat(hand.started).hasSize(10);
        hand.tasks.addAll(Collections.nCopies(100, () -> {}));
        hand.standIns.check(WORKERS, 0, true, false);
        for (int i = 0; i < 10 - WORKERS; i++) {
            hand.started.remove().run();
        }
        assertThat(hand.tasks.size()).isEqualTo(100);
        hand.started.remove().run();
        assertThat(hand.tasks.size()).isZero();
    }
}
