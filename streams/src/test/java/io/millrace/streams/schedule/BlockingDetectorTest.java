package io.millrace.streams.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BlockingDetectorTest {
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Pattern WATCHED = Pattern.compile("BlockingDetectorTest|EventLoop|streams\\.engine\\.pool");
    private static final Duration MANY_LOOKS = Duration.ofMillis(300);

    private final BlockingQueue<BlockingCall> calls = new LinkedBlockingQueue<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final BlockingDetector detector = BlockingDetector.start(INTERVAL, calls::add);

    @AfterEach
    void stopLooking() {
        gate.countDown();
        detector.dispose();
    }

    private void waitAtTheGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private BlockingCall nextCall() throws InterruptedException {
        @Nullable BlockingCall call = calls.poll(20, TimeUnit.SECONDS);
        assertThat(call).as("a blocking call was seen").isNotNull();
        return call;
    }

    /** Whether no call comes from this test or from where threads wait for work: other tests have threads, too. */
    private boolean isNothingSeen() throws InterruptedException {
        long endNanos = System.nanoTime() + MANY_LOOKS.toNanos();
        while (System.nanoTime() < endNanos) {
            BlockingCall call = calls.poll(10, TimeUnit.MILLISECONDS);
            if (call != null && WATCHED.matcher(call.site().getClassName()).find()) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aTaskThatWaitsOnAnEventLoopIsToldOfOnceWithItsPlace() throws InterruptedException {
        try (Scheduler loops = Schedulers.eventLoops(1)) {
            loops.schedule(this::waitAtTheGate);
            BlockingCall call = nextCall();
            assertThat(call.thread()).startsWith("millrace-loop");
            assertThat(call.state()).isEqualTo(Thread.State.WAITING);
            assertThat(call.site().getMethodName()).isEqualTo("waitAtTheGate");
            assertThat(call.atLeast()).isGreaterThanOrEqualTo(INTERVAL);
            assertThat(call.toString()).contains("waitAtTheGate").contains("Schedulers.elastic()");
            assertThat(isNothingSeen()).as("told once").isTrue();
        }
    }

    @Test
    void aTaskThatWaitsForALockIsToldOf() throws InterruptedException {
        Object lock = new Object();
        try (Scheduler single = Schedulers.single()) {
            synchronized (lock) {
                single.schedule(() -> {
                    synchronized (lock) {
                        gate.countDown();
                    }
                });
                assertThat(nextCall().state()).isEqualTo(Thread.State.BLOCKED);
            }
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aStageThatWaitsForAFutureIsToldOf() throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        try (StreamRuntime runtime = StreamRuntime.create()) {
            var seen = Source.single(1).map(x -> answer.get()).runWith(Sink.head(), runtime);
            BlockingCall call = nextCall();
            assertThat(call.thread()).contains("dispatcher");
            assertThat(call.site().getClassName()).startsWith(BlockingDetectorTest.class.getName());
            answer.complete(7);
            assertThat(seen.toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo(7);
        }
    }

    @Test
    void idleLoopsBusyTasksAndThreadsThatMayBlockAreNotToldOf() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        try (Scheduler idle = Schedulers.single();
                Scheduler busy = Schedulers.eventLoops(1);
                Scheduler elastic = Schedulers.elastic();
                StreamRuntime runtime = StreamRuntime.create()) {
            CountDownLatch ran = new CountDownLatch(2);
            idle.schedule(ran::countDown);
            Source.single(1).runWith(Sink.foreach(x -> ran.countDown()), runtime);
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
            busy.schedule(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            elastic.schedule(this::waitAtTheGate);
            assertThat(isNothingSeen()).isTrue();
            over.set(true);
        }
    }

    private static void waitOnceMore(Semaphore turns) {
        turns.acquireUninterruptibly();
    }

    /** Ends its wait and begins another one at the same place just before each look at it. */
    private static final class WaitsAnew extends NonBlockingThread {
        private final Semaphore turns = new Semaphore(0);
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean isOver;

        WaitsAnew() {
            super("waits-anew");
        }

        @Override
        public void run() {
            while (!isOver) {
                waitOnceMore(turns);
            }
        }

        @Override
        public State getState() {
            turns.release();
            Await.until(
                    "it waits again",
                    () -> isOver || (turns.availablePermits() == 0 && super.getState() == State.WAITING));
            looks.incrementAndGet();
            return super.getState();
        }

        void end() {
            isOver = true;
            turns.release();
        }
    }

    @Test
    void waitsThatEndBeforeTheNextLookAreNotOneLongCall() {
        WaitsAnew thread = new WaitsAnew();
        thread.start();
        try {
            Await.until("it was looked at some times", () -> thread.looks.get() >= 8);
            assertThat(calls).extracting(BlockingCall::thread).doesNotContain(thread.getName());
        } finally {
            thread.end();
        }
    }

    @Test
    void whatTheListenerThrowsDoesNotEndTheDetector() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(2);
        BlockingDetector throwing = BlockingDetector.start(INTERVAL, call -> {
            told.countDown();
            throw new IllegalStateException("the listener's own");
        });
        try (Scheduler loops = Schedulers.eventLoops(2)) {
            loops.schedule(this::waitAtTheGate);
            loops.schedule(this::waitAtTheGate);
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            throwing.dispose();
        }
        assertThat(throwing.isDisposed()).isTrue();
    }

    @Test
    void anIntervalOfNothingIsRefused() {
        assertThatThrownBy(() -> BlockingDetector.start(Duration.ZERO)).hasMessageContaining("PT0S");
    }
}
