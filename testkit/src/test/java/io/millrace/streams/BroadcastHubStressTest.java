package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.ConsumerLaggedException;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.hub.stage.BroadcastHubStage;
import io.millrace.streams.hub.stage.BroadcastHubState;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds of joins, lags, cancellations and failures of hundreds of consumers while a stream runs through a hub. */
class BroadcastHubStressTest {
    private static final Duration RUN =
            Boolean.getBoolean("millrace.deep") ? Duration.ofMinutes(10) : Duration.ofSeconds(10);
    private static final long ELEMENTS = 50_000;
    private static final int CONSUMERS = 300;
    private static final int MAX_AT_ONCE = 64;
    private static final List<LagPolicy> POLICIES = List.of(LagPolicy.values());

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("hub-stress").withThreads(4).withFailureReporter(failure -> {}));

    /** One consumer and what the model knows of it. */
    private record Joined(Tally tally, BroadcastConsumerSettings settings, long most, long firstPosition) {
        boolean mayHaveGaps() {
            return settings.lagPolicy() == LagPolicy.DROP_OLDEST || settings.lagPolicy() == LagPolicy.DROP_NEWEST;
        }

        @Override
        public String toString() {
            return settings + ", at most " + most + ": " + tally;
        }
    }

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    @Test
    @Behaviour({"BHUB-4", "BHUB-8", "BHUB-9", "BHUB-10", "BHUB-11", "BHUB-13", "BHUB-14", "BHUB-15"})
    void everybodySeesWhatItMustWhileOthersComeLagFailAndGo() {
        long deadline = System.nanoTime() + RUN.toNanos();
        do {
            round(random.nextInt(4) == 0 ? new IllegalStateException("the stream failed on purpose") : null);
        } while (System.nanoTime() - deadline < 0);
    }

    private void round(@Nullable Throwable failure) {
        BroadcastHubSettings settings = BroadcastHubSettings.defaults()
                .withBufferSize(1 << random.nextInt(8))
                .withStartAfterConsumers(1);
        long firstPosition = random.nextBoolean() ? 0 : Long.MAX_VALUE - random.nextInt((int) ELEMENTS);
        BroadcastHubState<Long> state = Source.fromGraph(new Counter(ELEMENTS, failure))
                .runWith(new BroadcastHubStage<Long>(settings, firstPosition), runtime);
        BroadcastHub<Long> hub = new BroadcastHub<>(state);
        Joined anchor = join(hub, BroadcastConsumerSettings.defaults(), Long.MAX_VALUE, firstPosition);
        Await.until("the anchor is the first", () -> hub.consumerCount() > 0 || state.end() != null);
        List<Joined> all = new ArrayList<>();
        while (all.size() < CONSUMERS && state.end() == null) {
            long most = random.nextInt(20) == 0 ? Long.MAX_VALUE : random.nextInt(300);
            all.add(join(hub, randomSettings(settings.bufferSize()), most, firstPosition));
            if (hub.consumerCount() > MAX_AT_ONCE) {
                Await.until(
                        () -> "consumers leave, " + describe(anchor),
                        () -> hub.consumerCount() < MAX_AT_ONCE / 2 || state.end() != null);
            }
        }
        Await.until(
                () -> "all streams end, " + describe(anchor),
                () -> runtime.snapshot().streams().isEmpty());
        checkAnchor(anchor, failure);
        all.forEach(joined -> check(joined, failure));
    }

    private BroadcastConsumerSettings randomSettings(int bufferSize) {
        JoinPosition position = switch (random.nextInt(3)) {
            case 0 -> JoinPosition.head();
            case 1 -> JoinPosition.replay(random.nextInt(2 * bufferSize));
            default -> JoinPosition.tail();
        };
        Duration patience = random.nextBoolean() ? Duration.ZERO : Duration.ofNanos(random.nextInt(1_000_000));
        return new BroadcastConsumerSettings(POLICIES.get(random.nextInt(POLICIES.size())), position, patience);
    }

    private Joined join(BroadcastHub<Long> hub, BroadcastConsumerSettings settings, long most, long firstPosition) {
        Tally.Ending ending = random.nextBoolean() ? Tally.Ending.CANCEL : Tally.Ending.FAIL;
        Tally tally = hub.source(settings).runWith(Tally.sink(most, ending), runtime);
        return new Joined(tally, settings, most, firstPosition);
    }

    private String describe(Joined joined) {
        return joined + ", seed " + seed;
    }

    private void checkAnchor(Joined anchor, @Nullable Throwable failure) {
        assertThat(anchor.tally.first()).as(describe(anchor)).isZero();
        assertThat(anchor.tally.failure()).as(describe(anchor)).isSameAs(failure);
        assertThat(anchor.tally.hasCompleted()).as(describe(anchor)).isEqualTo(failure == null);
        if (failure == null) {
            assertThat(anchor.tally.last()).as(describe(anchor)).isEqualTo(ELEMENTS - 1);
        }
        check(anchor, failure);
    }

    private void check(Joined joined, @Nullable Throwable streamFailure) {
        String what = describe(joined);
        Tally tally = joined.tally;
        assertThat(tally.hasEnded()).as(what).isTrue();
        assertThat(tally.disorders()).as(what).isZero();
        if (!joined.mayHaveGaps()) {
            assertThat(tally.gaps()).as(what).isZero();
        }
        boolean sawSome = tally.first() >= 0;
        if (tally.failure() instanceof ConsumerLaggedException lagged) {
            assertThat(joined.settings.lagPolicy()).as(what).isEqualTo(LagPolicy.DISCONNECT);
            if (sawSome) {
                assertThat(lagged.position()).as(what).isEqualTo(joined.firstPosition + tally.last() + 1);
            }
        } else if (tally.failure() != null) {
            assertThat(tally.failure()).as(what).isSameAs(streamFailure);
        } else if (tally.hasCompleted() && sawSome) {
            assertThat(streamFailure).as(what).isNull();
            if (joined.settings.lagPolicy() != LagPolicy.DROP_NEWEST) {
                assertThat(tally.last()).as(what).isEqualTo(ELEMENTS - 1);
            }
        }
    }
}
