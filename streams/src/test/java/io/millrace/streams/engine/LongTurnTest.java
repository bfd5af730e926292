package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.Tries;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens outside is heard after the element in hand, and others have their turn, however slow the elements are. */
class LongTurnTest {
    private static final int ENDLESS = Integer.MAX_VALUE;
    private static final int SLOW_MILLIS = 5;
    /** After so many elements a segment is hot, and has been compiled. */
    private static final int HOT = 1_500_000;

    private final ExecutorService own = Executors.newFixedThreadPool(2);
    private StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withThreads(2));

    @AfterEach
    void close() {
        runtime.close();
        own.shutdownNow();
    }

    private static int slowly(int n) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS));
        return n;
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardAfterTheElementInHand() throws Exception {
        heardAfterTheElementInHand(Source.range(0, ENDLESS).map(LongTurnTest::slowly));
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardInAHotSegmentToo() throws Exception {
        Source<Integer, ?> mixed = Source.range(0, ENDLESS).map(n -> n < HOT ? n : slowly(n));
        heardAfterTheElementInHand(mixed.filter(n -> n >= HOT));
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardOnAnExecutorOfTheUsers() throws Exception {
        runtime.close();
        runtime = StreamRuntime.create(RuntimeSettings.defaults().withExecutor(own));
        heardAfterTheElementInHand(Source.range(0, ENDLESS).map(LongTurnTest::slowly));
    }

    private void heardAfterTheElementInHand(Source<Integer, ?> slow) throws Exception {
        Tries.mostlyAtMost(63, () -> passedAfterTheSwitch(slow));
    }

    private int passedAfterTheSwitch(Source<Integer, ?> slow) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Pair<UniqueKillSwitch, CompletionStage<Integer>> running = slow.killSwitch(Keep.right())
                .toMat(Sink.fold(0, (count, n) -> seen.incrementAndGet()), Keep.both())
                .run(runtime);
        Await.until("some have passed", () -> seen.get() >= 3);
        int before = seen.get();
        running.first().shutdown();
        return await(running.second()) - before;
    }

    @Test
    @Behaviour("INT-11")
    void nothingMoreIsTakenOnceTheElementInHandIsThroughThatLastedTooLong() throws Exception {
        Tries.mostlyAtMost(1, () -> passedAfterShutdown(0, false));
        Tries.mostlyAtMost(1, () -> passedAfterShutdown(HOT, false));
    }

    /** The loop over elements does not see the switch: it has to end for the cancellation to be heard. */
    @Test
    @Behaviour("INT-11")
    void nothingMoreIsTakenOnceAnotherIslandHasCancelled() throws Exception {
        Tries.mostlyAtMost(1, () -> passedAfterShutdown(0, true));
        Tries.mostlyAtMost(1, () -> passedAfterShutdown(HOT, true));
    }

    /** A function waits in the middle of a stream while that is shut down; how many more elements it sees afterwards. */
    private int passedAfterShutdown(int before, boolean fromAnotherIsland) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger seen = new AtomicInteger();
        Source<Integer, ?> slow = Source.range(0, ENDLESS)
                .map(n -> {
                    if (n == before) {
                        waits.countDown();
                        released.await();
                    }
                    return n;
                })
                .map(n -> n <= before ? n : slowly(seen.incrementAndGet()));
        shutDownWhileItWaits(fromAnotherIsland ? slow.async() : slow, waits, released);
        return seen.get();
    }

    /** Nothing comes out of the segment, whose loop goes on: it has to end, and the one around it, where one segment takes from another. */
    @Test
    @Behaviour("INT-11")
    void nothingMoreIsTakenThoughNothingComesOut() throws Exception {
        for (int before : new int[] {0, HOT}) {
            Tries.mostlyAtMost(
                    1,
                    () -> droppedAfterShutdown(
                            before, slow -> Source.range(0, ENDLESS).map(slow)));
            Tries.mostlyAtMost(
                    1,
                    () -> droppedAfterShutdown(
                            before, slow -> Source.range(0, ENDLESS).map(slow).mapConcat(List::of)));
            Tries.mostlyAtMost(
                    1,
                    () -> droppedAfterShutdown(
                            before,
                            slow -> Source.range(0, ENDLESS)
                                    .map(n -> n + 1)
                                    .mapConcat(List::of)
                                    .map(slow)));
        }
    }

    private int droppedAfterShutdown(
            int before, Function<ThrowingFunction<Integer, Integer>, Source<Integer, ?>> through) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger seen = new AtomicInteger();
        Source<Integer, ?> slow = through.apply(n -> {
            if (n == before + 1) {
                waits.countDown();
                released.await();
            }
            return n <= before + 1 ? n : slowly(seen.incrementAndGet());
        });
        shutDownWhileItWaits(slow.filter(n -> false), waits, released);
        return seen.get();
    }

    private void shutDownWhileItWaits(Source<Integer, ?> slow, CountDownLatch waits, CountDownLatch released)
            throws Exception {
        Pair<UniqueKillSwitch, CompletionStage<Done>> running =
                slow.killSwitch(Keep.right()).toMat(Sink.ignore(), Keep.both()).run(runtime);
        assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
        running.first().shutdown();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // so that the monitor has seen the turn grow long
        released.countDown();
        await(running.second());
    }

    @Test
    @Behaviour("INT-11")
    void noMoreIsExpandedOnceTheCallInHandHasReturnedThatLastedTooLong() throws Exception {
        Tries.mostlyAtMost(1, () -> expandedAfterShutdown(Source::empty));
        Tries.mostlyAtMost(1, () -> expandedAfterShutdown(LongTurnTest::droppedBySupervision));
    }

    private static Source<Integer, ?> droppedBySupervision() {
        throw new IllegalStateException("dropped");
    }

    /** Nothing comes of what is expanded: how many more calls there are after a shutdown during the first. */
    private int expandedAfterShutdown(Supplier<Source<Integer, ?>> nothing) throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger seen = new AtomicInteger();
        Source<Integer, ?> slow = Source.range(0, 400).expandRecursively(n -> {
            if (n == 0) {
                waits.countDown();
                released.await();
            } else {
                slowly(seen.incrementAndGet());
            }
            return nothing.get();
        });
        shutDownWhileItWaits(slow.withAttributes(Attributes.supervision(Supervision.resume())), waits, released);
        return seen.get();
    }

    @Test
    @Behaviour("INT-11")
    void othersHaveTheirTurnThoughFunctionsKeepEveryThread() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            Source.single(1)
                    .map(n -> {
                        released.await();
                        return n;
                    })
                    .runWith(Sink.ignore(), runtime);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(await(Source.single(1).async().map(n -> n + 1).runWith(Sink.head(), runtime)))
                    .isEqualTo(2);
        }
        released.countDown();
    }

    @Test
    @Behaviour("INT-10")
    void whatParallelFunctionsGaveArrivesThoughTheNextCallsKeepEveryThread() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(2);
        CompletionStage<Done> end = Source.range(0, 6)
                .parallel(2, Flow.<Integer>create().map(n -> {
                    if (n >= 2) {
                        released.await();
                    }
                    return n;
                }))
                .runWith(Sink.foreach(n -> arrived.countDown()), runtime);
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        released.countDown();
        await(end);
    }

    @Test
    @Behaviour("INT-11")
    void takeWithinEndsInTime() throws Exception {
        Source<Integer, ?> slow =
                Source.range(0, ENDLESS).map(LongTurnTest::slowly).takeWithin(Duration.ofMillis(100));
        Tries.mostlyAtMost(255, () -> await(slow.runWith(Sink.count(), runtime)));
    }

    @Test
    @Behaviour("INT-11")
    void closingEndsSlowStreams() {
        AtomicInteger seen = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            Source.range(0, ENDLESS)
                    .map(LongTurnTest::slowly)
                    .runWith(Sink.foreach(n -> seen.incrementAndGet()), runtime);
        }
        Await.until("all three have had turns", () -> seen.get() > 20);
        runtime.close();
        assertThat(runtime.snapshot().streams()).isEmpty();
    }

    @Test
    @Behaviour("INT-11")
    void othersHaveTheirTurnBesideStreamsThatNeverRest() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            Source.range(0, ENDLESS)
                    .map(LongTurnTest::slowly)
                    .runWith(Sink.foreach(n -> seen.incrementAndGet()), runtime);
        }
        Await.until("they run", () -> seen.get() > 4);
        Tries.mostlyAtMost(199, () -> mostSeenDuringOthers(seen));
    }

    private int mostSeenDuringOthers(AtomicInteger seen) throws Exception {
        int most = 0;
        for (int i = 0; i < 10; i++) {
            int before = seen.get();
            assertThat(await(Source.single(1).async().map(n -> n + 1).runWith(Sink.head(), runtime)))
                    .isEqualTo(2);
            most = Math.max(most, seen.get() - before);
        }
        return most;
    }

    @Test
    @Behaviour("INT-11")
    void cancellingFromAnotherIslandEndsASlowSource() throws Exception {
        Tries.mostlyAtMost(63, this::madeForTwo);
    }

    private int madeForTwo() throws Exception {
        AtomicInteger made = new AtomicInteger();
        CompletionStage<Integer> sum = Source.range(0, ENDLESS)
                .map(n -> slowly(made.incrementAndGet()))
                .async()
                .take(2)
                .withAttributes(Attributes.inputBuffer(256))
                .runWith(Sink.fold(0, Integer::sum), runtime);
        assertThat(await(sum)).isEqualTo(3);
        return made.get();
    }
}
