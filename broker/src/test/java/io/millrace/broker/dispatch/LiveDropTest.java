package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For which consumer an entry of a topic that stores nothing counts that none takes. */
class LiveDropTest {
    private static final int LOW = 10;
    private static final int HIGH = 60_000;

    private LiveDispatcher dispatcher;
    private int entries;

    @Test
    @Behaviour("NS-12")
    void onKeySharedItCountsForTheOwnerOfItsKey() {
        open(SubscriptionType.KEY_SHARED);
        attach("low", 0, sticky(0, 999));
        RecordingConsumer high = attach("high", 0, sticky(1_000, 65_535));
        dispatcher.flow(high, 2);
        publish(LOW, 5);
        publish(HIGH, 5);
        assertThat(high.delivered).hasSize(2);
        assertThat(dropped()).isEqualTo(Map.of("low", 5L, "high", 3L));
    }

    @Test
    @Behaviour("NS-12")
    void onKeySharedOneOfAKeyThatIsNobodysCountsForTheSubscriptionAlone() {
        open(SubscriptionType.KEY_SHARED);
        attach("low", 0, sticky(0, 999));
        publish(HIGH, 5);
        assertThat(dropped()).isEqualTo(Map.of("low", 0L));
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "FAILOVER"})
    @Behaviour("NS-12")
    void onSubscriptionsOfOneItCountsForThatOne(SubscriptionType type) {
        open(type);
        attach("a", 0, null);
        if (type == SubscriptionType.FAILOVER) {
            attach("b", 0, null);
        }
        publish(LOW, 5);
        assertThat(dropped()).containsEntry("a", 5L);
    }

    @Test
    @Behaviour("NS-12")
    void onSharedItCountsForEachInTurn() {
        open(SubscriptionType.SHARED);
        attach("a", 0, null);
        attach("b", 0, null);
        attach("later", 1, null);
        publish(LOW, 6);
        assertThat(dropped()).isEqualTo(Map.of("a", 3L, "b", 3L, "later", 0L));
    }

    @Test
    @Behaviour("NS-12")
    void onSharedAChunkCountsForWhomHasTheFirst() {
        open(SubscriptionType.SHARED);
        RecordingConsumer first = attach("a", 0, null);
        attach("b", 0, null);
        dispatcher.flow(first, 1);
        dispatcher.take(entry(new EntryHeader(1, 0, LOW, 0, EntryHeader.chunkFlags(0, 3, 1))));
        dispatcher.take(entry(new EntryHeader(1, 0, LOW, 0, EntryHeader.chunkFlags(1, 3, 1))));
        dispatcher.take(entry(new EntryHeader(1, 0, LOW, 0, EntryHeader.chunkFlags(2, 3, 1))));
        assertThat(dropped()).isEqualTo(Map.of("a", 2L, "b", 0L));
    }

    private void open(SubscriptionType type) {
        dispatcher = new LiveDispatcher(
                SubscriptionSettings.durable("s", type),
                new RoundClock(InstantSource.system()),
                new NoTurns(),
                () -> {});
    }

    private RecordingConsumer attach(String name, int priority, KeySharedOptions keyShared) {
        RecordingConsumer consumer = new RecordingConsumer(name);
        ConsumerOptions options =
                new ConsumerOptions(1, name, dispatcher.members.selector().type(), priority, keyShared);
        CompletableFuture<Void> attached = new CompletableFuture<>();
        dispatcher.members.attach(new Attach(consumer, options, attached), () -> {});
        assertThat(attached).isCompleted();
        return consumer;
    }

    private void publish(int keyHash, int count) {
        for (int i = 0; i < count; i++) {
            dispatcher.take(entry(new EntryHeader(1, 0, keyHash, 0, 0)));
        }
    }

    private LiveEntry entry(EntryHeader header) {
        return new LiveEntry(new Position(0, entries++), header, new byte[1]);
    }

    private Map<String, Long> dropped() {
        return dispatcher.stats().consumers().stream()
                .collect(Collectors.toMap(
                        DispatcherStats.ConsumerStats::name, DispatcherStats.ConsumerStats::droppedEntries));
    }

    private static KeySharedOptions sticky(int first, int last) {
        return KeySharedOptions.sticky(List.of(new HashRange(first, last)), false);
    }

    /** The test hands over entries itself. */
    private static final class NoTurns implements IslandContext {
        @Override
        public void requestTurn() {}

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void later(Runnable task, Duration delay) {}

        @Override
        public <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome) {}

        @Override
        public void end() {}
    }
}
