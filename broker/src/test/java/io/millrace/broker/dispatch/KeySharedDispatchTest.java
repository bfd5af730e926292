package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySharedDispatchTest {
    private static final KeySharedOptions IN_ORDER = KeySharedOptions.autoSplit(false);
    private static final int LOW = 100;
    private static final int HIGH = 60_000;

    @TempDir
    Path folder;

    private OneSubscription subscription;

    @BeforeEach
    void open() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.KEY_SHARED));
    }

    @AfterEach
    void close() {
        subscription.checkInvariants();
        subscription.close();
    }

    @Test
    @Behaviour("ACK-1")
    void everyKeyGoesToOneConsumerAndEveryConsumerHasAFairShareOfTheRing() {
        List<RecordingConsumer> consumers = IntStream.range(0, 8)
                .mapToObj(i -> subscription.attach("c" + i, IN_ORDER))
                .toList();
        consumers.forEach(consumer -> subscription.flow(consumer, 10_000));
        int[] twice = IntStream.range(0, 4_000).map(i -> 1 + i % 2_000 * 32).toArray();
        List<Position> published = subscription.publishKeys(twice);
        OneSubscription.until("all is sent", () -> total(consumers) == twice.length);
        for (RecordingConsumer consumer : consumers) {
            assertThat(consumer.delivered).hasSizeBetween(250, 900);
            assertThat(consumer.positions().stream().limit(consumer.delivered.size() / 2))
                    .allSatisfy(position -> {
                        Position again = published.get(published.indexOf(position) + 2_000);
                        assertThat(consumer.positions()).contains(again);
                    });
        }
    }

    @Test
    @Behaviour("ACK-1")
    void stickyRangesGetTheirHashesAndNobodyGetsTheOthers() {
        RecordingConsumer low = subscription.attach("low", sticky(0, 999));
        RecordingConsumer high = subscription.attach("high", sticky(50_000, 65_535));
        subscription.flow(low, 100);
        subscription.flow(high, 100);
        List<Position> published = subscription.publishKeys(LOW, HIGH, 30_000, LOW, HIGH, 30_000, 0, 65_535);
        subscription.awaitDelivered(low, 3);
        subscription.awaitDelivered(high, 3);
        assertThat(low.positions()).containsExactly(published.get(0), published.get(3), published.get(6));
        assertThat(high.positions()).containsExactly(published.get(1), published.get(4), published.get(7));
        assertThat(subscription.stats().heldBackEntries()).isEqualTo(2);
        RecordingConsumer middle = subscription.attach("middle", sticky(1_000, 49_999));
        subscription.flow(middle, 100);
        subscription.awaitDelivered(middle, 2);
        assertThat(middle.positions()).containsExactly(published.get(2), published.get(5));
    }

    @Test
    @Behaviour("ACK-1")
    void overlappingAndSenselessRangesAreRefused() {
        subscription.attach("low", sticky(0, 999));
        assertThat(subscription.refusedAttach("also", sticky(999, 2_000)))
                .hasMessageContaining("0..999 of consumer low")
                .extracting(BrokerException::kind)
                .isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        assertThat(subscription.refusedAttach("backwards", sticky(5_000, 4_000)).kind())
                .isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        assertThat(subscription.refusedAttach("beyond", sticky(5_000, 65_536)).kind())
                .isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        KeySharedOptions twice =
                KeySharedOptions.sticky(List.of(new HashRange(2_000, 3_000), new HashRange(2_500, 4_000)), false);
        assertThat(subscription.refusedAttach("itself", twice).kind()).isEqualTo(ErrorKind.CONSUMER_ASSIGN);
    }

    @Test
    @Behaviour("ACK-1")
    void theFirstConsumerDecidesOnStickyOrAutoSplitAndOnOrder() {
        RecordingConsumer first = subscription.attach("first", IN_ORDER);
        assertThat(subscription.refusedAttach("sticky", sticky(0, 10)).kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
        assertThat(subscription
                        .refusedAttach("loose", KeySharedOptions.autoSplit(true))
                        .kind())
                .isEqualTo(ErrorKind.CONSUMER_BUSY);
        subscription.dispatcher.tell(new Detach(first));
        subscription.attach("sticky", sticky(0, 10));
    }

    @Test
    @Behaviour("ACK-2")
    void aHashGoesToItsNewOwnerOnlyWhenTheOldOneHoldsNoneOfIt() {
        RecordingConsumer old = subscription.attach("old", IN_ORDER);
        subscription.flow(old, 1_000);
        int[] keys = IntStream.range(1, 200).map(i -> i * 320).toArray();
        List<Position> before = subscription.publishKeys(keys);
        subscription.awaitDelivered(old, keys.length);
        RecordingConsumer joins = subscription.attach("joins", IN_ORDER);
        subscription.flow(joins, 1_000);
        List<Position> after = subscription.publishKeys(keys);
        OneSubscription.until(
                "what stays with the old owner is sent",
                () -> old.delivered.size() + subscription.stats().heldBackEntries() == 2 * keys.length);
        assertThat(joins.delivered).isEmpty();
        assertThat(old.delivered.size()).isBetween(keys.length + 50, keys.length + 150);
        int moved = after.indexOf(after.stream()
                .filter(position -> !old.positions().contains(position))
                .findFirst()
                .orElseThrow());
        subscription.ack(old, before.get(moved));
        subscription.awaitDelivered(joins, 1);
        assertThat(joins.positions()).containsExactly(after.get(moved));
        subscription.ack(old, before.toArray(new Position[0]));
        OneSubscription.until("all is sent", () -> old.delivered.size() + joins.delivered.size() == 2 * keys.length);
    }

    @Test
    @Behaviour({"ACK-2", "ACK-6"})
    void whatADeadConsumerHeldGoesBeforeLaterEntriesOfItsKeys() {
        RecordingConsumer dies = subscription.attach("dies", IN_ORDER);
        subscription.flow(dies, 4);
        List<Position> published = subscription.publishKeys(LOW, HIGH, LOW, HIGH, LOW, HIGH, LOW, HIGH);
        subscription.awaitDelivered(dies, 4);
        RecordingConsumer lives = subscription.attach("lives", IN_ORDER);
        subscription.dispatcher.tell(new Detach(dies));
        subscription.flow(lives, 1);
        subscription.awaitDelivered(lives, 1);
        subscription.flow(lives, 100);
        subscription.awaitDelivered(lives, 8);
        assertThat(lives.positions()).isEqualTo(published);
        assertThat(lives.delivered).extracting(each -> each.redeliveryCount()).containsExactly(1, 1, 1, 1, 0, 0, 0, 0);
    }

    @Test
    @Behaviour("ACK-2")
    void aConsumerThatTakesNothingHoldsUpItsOwnKeysOnlyAndAsManyOthersAsTheLookAheadHas() {
        RecordingConsumer slow = subscription.attach("slow", sticky(0, 999));
        RecordingConsumer quick = subscription.attach("quick", sticky(1_000, 65_535));
        subscription.flow(slow, 1);
        subscription.flow(quick, 100_000);
        int[] keys =
                IntStream.range(0, 12_000).map(i -> i % 2 == 0 ? LOW : HIGH).toArray();
        List<Position> published = subscription.publishKeys(keys);
        OneSubscription.until(
                "the look-ahead is full", () -> subscription.stats().heldBackEntries() == 4_000);
        assertThat(quick.delivered).hasSizeBetween(4_000, 4_001);
        subscription.flow(slow, 100_000);
        OneSubscription.until("all is sent", () -> slow.delivered.size() + quick.delivered.size() == keys.length);
        assertThat(slow.positions()).isSorted();
        assertThat(quick.positions()).isSorted();
        assertThat(slow.positions()).startsWith(published.get(0), published.get(2));
    }

    @Test
    @Behaviour("ACK-2")
    void newEntriesOfAKeyWaitWhileItsReturnedOnesAreStillBeingRead() throws IOException {
        subscription.close();
        LogConfig smallCache = LogConfig.defaults(folder.resolve("small"))
                .withLedgers(1 << 20, 100)
                .withMemory(4_096, 1 << 20);
        subscription = new OneSubscription(smallCache, SubscriptionSettings.durable("s", SubscriptionType.KEY_SHARED));
        RecordingConsumer dies = subscription.attach("dies", IN_ORDER);
        List<Position> published = new ArrayList<>(subscription.publishKeys(new int[2_000]));
        subscription.flow(dies, 1_900);
        subscription.awaitDelivered(dies, 1_900);
        RecordingConsumer lives = subscription.attach("lives", IN_ORDER);
        subscription.dispatcher.tell(new Detach(dies));
        subscription.flow(lives, 100_000);
        for (int i = 0; i < 50; i++) {
            published.addAll(subscription.publishKeys(new int[20]));
        }
        subscription.awaitDelivered(lives, published.size());
        assertThat(lives.positions()).isEqualTo(published);
    }

    @Test
    @Behaviour("ACK-2")
    void withoutOrderAHashMovesAtOnce() {
        RecordingConsumer old = subscription.attach("old", KeySharedOptions.autoSplit(true));
        subscription.flow(old, 1_000);
        int[] keys = IntStream.range(1, 200).map(i -> i * 320).toArray();
        subscription.publishKeys(keys);
        subscription.awaitDelivered(old, keys.length);
        RecordingConsumer joins = subscription.attach("joins", KeySharedOptions.autoSplit(true));
        subscription.flow(joins, 1_000);
        subscription.publishKeys(keys);
        OneSubscription.until("all is sent", () -> old.delivered.size() + joins.delivered.size() == 2 * keys.length);
        assertThat(joins.delivered).isNotEmpty();
    }

    @Test
    @Behaviour("ACK-2")
    void aConsumerThatComesBackUnderItsNameOwnsWhatItOwned() {
        int[] keys = IntStream.range(1, 100).map(i -> i * 640).toArray();
        subscription.attach("stays", IN_ORDER);
        RecordingConsumer first = subscription.attach("returns", IN_ORDER);
        subscription.flow(first, 1_000);
        subscription.publishKeys(keys);
        OneSubscription.until(
                "all is placed",
                () -> first.delivered.size() + subscription.stats().heldBackEntries() == keys.length);
        subscription.dispatcher.tell(new Detach(first));
        RecordingConsumer again = subscription.attach("returns", IN_ORDER);
        subscription.flow(again, 1_000);
        OneSubscription.until("it has the same", () -> again.delivered.size() == first.delivered.size());
        assertThat(again.positions()).isEqualTo(first.positions());
    }

    @Test
    @Behaviour("ACK-2")
    void theChunksOfAMessageFollowTheirFirstEvenWhileTheHashDrains() {
        RecordingConsumer old = subscription.attach("old", IN_ORDER);
        subscription.flow(old, 1_000);
        List<Position> first = chunks(EntryHeader.FIRST_CHUNK);
        subscription.awaitDelivered(old, first.size());
        RecordingConsumer joins = subscription.attach("joins", IN_ORDER);
        subscription.flow(joins, 1_000);
        chunks(0);
        chunks(EntryHeader.LAST_CHUNK);
        subscription.awaitDelivered(old, 3 * first.size());
        assertThat(joins.delivered).isEmpty();
    }

    @Test
    @Behaviour({"ACK-2", "ACK-6"})
    void anEntryGivenBackComesAgainToItsOwner() {
        RecordingConsumer consumer = subscription.attach("c", IN_ORDER);
        subscription.flow(consumer, 100);
        List<Position> published = subscription.publishKeys(LOW, LOW, HIGH);
        subscription.awaitDelivered(consumer, 3);
        subscription.dispatcher.tell(new Redeliver(consumer, List.of(published.get(1))));
        subscription.awaitDelivered(consumer, 4);
        assertThat(consumer.positions().get(3)).isEqualTo(published.get(1));
        subscription.dispatcher.tell(new Redeliver(consumer, List.of()));
        subscription.awaitDelivered(consumer, 7);
        assertThat(consumer.positions().subList(4, 7)).isEqualTo(published);
    }

    /** One chunk of each of a hundred messages. */
    private List<Position> chunks(int flag) {
        List<Position> published = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            published.add(subscription.append(1, i * 640, 0, EntryHeader.CHUNKED | flag));
        }
        subscription.awaitDurable();
        return published;
    }

    private static KeySharedOptions sticky(int first, int last) {
        return KeySharedOptions.sticky(List.of(new HashRange(first, last)), false);
    }

    private static int total(List<RecordingConsumer> consumers) {
        return consumers.stream()
                .mapToInt(consumer -> consumer.delivered.size())
                .sum();
    }
}
