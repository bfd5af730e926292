package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Joins, lags and cancellations by many threads' worth of islands while an endless stream runs through the hub. */
class BroadcastHubStressTest {
    private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final List<LagPolicy> POLICIES = List.of(LagPolicy.values());

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("hub-stress").withThreads(4));

    /** One consumer and what it must see. */
    private record Joined(Tally tally, LagPolicy policy, CompletionStage<Done> registered) {}

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    @Behaviour({"BHUB-4", "BHUB-8", "BHUB-9", "BHUB-14", "BHUB-15"})
    void nobodyLosesOrReordersWhileOthersComeLagAndGo() throws Exception {
        int buffer = 1 << (1 + random.nextInt(7));
        BroadcastHub<Long> hub = Source.fromGraph(new Counter()).runWith(BroadcastHub.sink(buffer), runtime);
        Joined anchor = join(hub, LagPolicy.BACKPRESSURE, Long.MAX_VALUE);
        List<Joined> all = new ArrayList<>();
        long deadline = System.nanoTime() + RUN_NANOS;
        while (System.nanoTime() - deadline < 0) {
            LagPolicy policy = POLICIES.get(random.nextInt(POLICIES.size()));
            all.add(join(hub, policy, random.nextInt(200)));
            if (all.size() % 64 == 0) {
                Await.until("consumers leave", () -> hub.consumerCount() < 64);
            }
        }
        Await.until("everybody but the anchor has left, seed " + seed, () -> hub.consumerCount() == 1);
        long before = anchor.tally.last();
        Await.until("the stream still runs, seed " + seed, () -> anchor.tally.last() > before + 1000);
        anchor.tally.stop();
        assertThat(all).hasSizeGreaterThan(100);
        for (Joined joined : all) {
            check(joined);
        }
        check(anchor);
        Await.until("the hub is empty", () -> hub.consumerCount() == 0);
    }

    private Joined join(BroadcastHub<Long> hub, LagPolicy policy, long most) {
        AtomicReference<CompletionStage<Done>> registered = new AtomicReference<>();
        Tally tally = hub.sourceWithRegistration(
                        BroadcastConsumerSettings.defaults().withLagPolicy(policy))
                .mapMaterializedValue(future -> {
                    registered.set(future);
                    return NotUsed.NOT_USED;
                })
                .runWith(Tally.sink(most), runtime);
        return new Joined(tally, policy, registered.get());
    }

    private void check(Joined joined) {
        String what = joined.policy + " with seed " + seed + ": " + joined.tally;
        assertThat(joined.tally.disorders()).as(what).isZero();
        if (joined.policy == LagPolicy.BACKPRESSURE || joined.policy == LagPolicy.DISCONNECT) {
            assertThat(joined.tally.gaps()).as(what).isZero();
        }
        Throwable failure = joined.tally.failure();
        if (failure instanceof ConsumerLaggedException lagged) {
            assertThat(joined.policy).as(what).isEqualTo(LagPolicy.DISCONNECT);
            if (joined.tally.last() >= 0) {
                assertThat(lagged.position()).as(what).isEqualTo(joined.tally.last() + 1);
            }
        } else {
            assertThat(failure).as(what).isNull();
        }
    }
}
