package io.millrace.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Attributes;
import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Pair;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens outside is heard after the element in hand, and others have their turn, however slow the elements are. */
class LongTurnTest {
    private static final int ENDLESS = Integer.MAX_VALUE;
    private static final int SLOW_MILLIS = 5;

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

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardAfterTheElementInHand() throws Exception {
        heardAfterTheElementInHand(Source.range(0, ENDLESS).map(LongTurnTest::slowly));
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardInAHotSegmentToo() throws Exception {
        Source<Integer, ?> mixed = Source.range(0, ENDLESS).map(n -> n < 400_000 ? n : slowly(n));
        heardAfterTheElementInHand(mixed.filter(n -> n >= 400_000));
    }

    @Test
    @Behaviour("INT-11")
    void aKillSwitchIsHeardOnAnExecutorOfTheUsers() throws Exception {
        runtime.close();
        runtime = StreamRuntime.create(RuntimeSettings.defaults().withExecutor(own));
        heardAfterTheElementInHand(Source.range(0, ENDLESS).map(LongTurnTest::slowly));
    }

    private void heardAfterTheElementInHand(Source<Integer, ?> slow) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Pair<UniqueKillSwitch, CompletionStage<Integer>> running = slow.killSwitch(Keep.right())
                .toMat(Sink.fold(0, (count, n) -> seen.incrementAndGet()), Keep.both())
                .run(runtime);
        Await.until("some have passed", () -> seen.get() >= 3);
        int before = seen.get();
        running.first().shutdown();
        assertThat(await(running.second()) - before).isLessThan(64);
    }

    @Test
    @Behaviour("INT-11")
    void takeWithinEndsInTime() throws Exception {
        CompletionStage<Long> count = Source.range(0, ENDLESS)
                .map(LongTurnTest::slowly)
                .takeWithin(Duration.ofMillis(100))
                .runWith(Sink.count(), runtime);
        assertThat(await(count)).isLessThan(256);
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
        for (int i = 0; i < 10; i++) {
            int before = seen.get();
            assertThat(await(Source.single(1).async().map(n -> n + 1).runWith(Sink.head(), runtime)))
                    .isEqualTo(2);
            assertThat(seen.get() - before).isLessThan(200);
        }
    }

    @Test
    @Behaviour("INT-11")
    void cancellingFromAnotherIslandEndsASlowSource() throws Exception {
        AtomicInteger made = new AtomicInteger();
        CompletionStage<Integer> sum = Source.range(0, ENDLESS)
                .map(n -> slowly(made.incrementAndGet()))
                .async()
                .take(2)
                .withAttributes(Attributes.inputBuffer(256))
                .runWith(Sink.fold(0, Integer::sum), runtime);
        assertThat(await(sum)).isEqualTo(3);
        assertThat(made.get()).isLessThan(64);
    }
}
