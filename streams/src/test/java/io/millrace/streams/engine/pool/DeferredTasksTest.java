package io.millrace.streams.engine.pool;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who looks for what is deferred finds it here until it was told that it goes on elsewhere. */
class DeferredTasksTest {
    private static final int ROUNDS = 5_000;

    private final WorkerPool pool = new WorkerPool("deferred", 1, Duration.ZERO, Elsewhere.NOWHERE);
    private final DeferredTasks tasks = new DeferredTasks();

    @AfterEach
    void close() {
        pool.close();
    }

    /** Notes what is deferred when it hears that it is not any more. */
    private final class Told implements Deferrable {
        private final List<Deferrable> deferred = new ArrayList<>();

        @Override
        public void run() {}

        @Override
        public void noLongerDeferred() {
            tasks.addTo(deferred);
        }

        @Override
        public void refused(Throwable refusal) {
            throw new AssertionError("refused", refusal);
        }
    }

    private Told defer() {
        Told told = new Told();
        DeferredTask task = new DeferredTask();
        assertThat(task.hold(pool, told)).isTrue();
        tasks.add(task);
        return told;
    }

    @Test
    @Behaviour("MAT-6")
    void oneThatGivesWayToTheNextIsShownUntilItWasTold() {
        Told first = defer();
        Told second = defer();
        assertThat(first.deferred).contains(first);
        assertThat(second.deferred).isEmpty();
        List<Deferrable> left = new ArrayList<>();
        tasks.addTo(left);
        assertThat(left).containsExactly(second);
    }

    /** Notes its thread, and has another turn after the first one. */
    private final class TwoTurns implements Deferrable {
        private final Runnable inFirst;
        private final CompletableFuture<Thread> first = new CompletableFuture<>();
        private final CompletableFuture<Thread> second = new CompletableFuture<>();

        TwoTurns(Runnable inFirst) {
            this.inFirst = inFirst;
        }

        @Override
        public void run() {
            if (first.complete(Thread.currentThread())) {
                inFirst.run();
                pool.requeue(this);
            } else {
                second.complete(Thread.currentThread());
            }
        }

        @Override
        public void noLongerDeferred() {}

        @Override
        public void refused(Throwable refusal) {
            throw new AssertionError("refused", refusal);
        }
    }

    /** Helps with a task; false if the monitor has come by before. */
    private boolean isHelped(DeferredTask deferred, TwoTurns task) {
        pool.defer(deferred, task);
        deferred.help(task.second);
        return task.first.join() == Thread.currentThread(); // also where this thread is interrupted
    }

    @Test
    @Behaviour("INT-14")
    void whatIsLeftOnceTheHelperIsInterruptedGoesToThePool() throws Exception {
        TwoTurns task;
        boolean helped;
        do {
            task = new TwoTurns(Thread.currentThread()::interrupt);
            helped = isHelped(new DeferredTask(), task);
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
        } while (!helped);
        assertThat(await(task.second)).isNotSameAs(Thread.currentThread());
    }

    @Test
    @Behaviour("MAT-3")
    void whatIsGivenForTheSameResultAsTheTaskThatRunsIsNotLost() throws Exception {
        TwoTurns inner;
        TwoTurns outer;
        DeferredTask deferred;
        do {
            DeferredTask same = new DeferredTask();
            deferred = same;
            TwoTurns given = new TwoTurns(() -> {});
            inner = given;
            outer = new TwoTurns(() -> pool.defer(same, given));
        } while (!isHelped(deferred, outer));
        await(inner.second);
        await(outer.second);
    }

    @Test
    @Behaviour("MAT-3")
    void whatTwoThreadsGiveForTheSameResultIsNotLost() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        AtomicReferenceArray<DeferredTask> shared = new AtomicReferenceArray<>(ROUNDS);
        CountDownLatch ran = new CountDownLatch(2 * ROUNDS);
        FutureTask<Object> other = new FutureTask<>(() -> giveAll(both, shared, ran));
        new Thread(other, "other").start();
        giveAll(both, shared, ran);
        other.get(20, TimeUnit.SECONDS);
        Await.await(ran, "all have run");
    }

    private @Nullable Object giveAll(CyclicBarrier both, AtomicReferenceArray<DeferredTask> shared, CountDownLatch ran)
            throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            shared.compareAndSet(i, null, new DeferredTask());
            both.await();
            pool.defer(shared.get(i), new Counted(ran));
        }
        return null;
    }

    /** Runs once. */
    private record Counted(CountDownLatch ran) implements Deferrable {
        @Override
        public void run() {
            ran.countDown();
        }

        @Override
        public void noLongerDeferred() {}

        @Override
        public void refused(Throwable refusal) {
            throw new AssertionError("refused", refusal);
        }
    }

    /** Hears that no thread can be had for it. */
    private static final class Refused implements Deferrable {
        private final CompletableFuture<Throwable> refusal = new CompletableFuture<>();

        @Override
        public void run() {
            throw new AssertionError("it was run without a thread");
        }

        @Override
        public void noLongerDeferred() {}

        @Override
        public void refused(Throwable cause) {
            refusal.complete(cause);
        }
    }

    private static WorkerPool withoutThreads(Runnable whenOneIsStarted) {
        return new WorkerPool("no-threads", 2, Duration.ZERO, Elsewhere.NOWHERE, thread -> {
            whenOneIsStarted.run();
            throw new OutOfMemoryError("no thread, on purpose");
        });
    }

    /** Whether it is the one who gives it or the monitor that looks for a thread. */
    @Test
    @Behaviour("MAT-3")
    void whatNoThreadCanBeHadForIsToldSo() throws Exception {
        for (boolean isDependedOn : new boolean[] {true, false}) {
            WorkerPool none = withoutThreads(() -> {});
            SpinThenParkFuture<Integer> result = new SpinThenParkFuture<>();
            Refused task = new Refused();
            none.defer(result.deferred(), task);
            if (isDependedOn) {
                assertThat(result.thenApply(x -> x)).isNotDone();
            }
            assertThat(await(task.refusal)).hasMessageContaining("could not start its thread 1 of 2");
            none.close();
        }
    }

    @Test
    @Behaviour("MAT-3")
    void whatReliesOnAThreadOfAnothersIsToldToo() throws Exception {
        Refused second = new Refused();
        AtomicReference<@Nullable WorkerPool> shared = new AtomicReference<>();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        WorkerPool none = withoutThreads(() -> {
            if (isFirst.getAndSet(false)) {
                CompletableFuture.runAsync(
                                () -> Objects.requireNonNull(shared.get()).execute(second))
                        .join(); // while this thread is about to start one
            }
        });
        shared.set(none);
        assertThatThrownBy(() -> none.execute(new Refused())).hasMessageContaining("could not start its thread 1 of 2");
        assertThat(await(second.refusal)).hasMessageContaining("could not start its thread 1 of 2");
        none.close();
    }
}
