package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExclusiveDispatchTest {
    @TempDir
    Path folder;

    private OneSubscription subscription;

    @BeforeEach
    void open() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE));
    }

    @AfterEach
    void close() {
        subscription.close();
    }

    @Test
    @Behaviour("ACK-1")
    void aSecondConsumerIsRefused() {
        subscription.attach("first");
        BrokerException refused =
                subscription.refusedAttach(new RecordingConsumer("second"), SubscriptionType.EXCLUSIVE);
        assertThat(refused.kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
        assertThat(refused).hasMessageContaining("first");
    }

    /** A connection that has no room for a moment, at whatever look of the dispatcher. */
    @Test
    @Behaviour("ACK-6")
    void whatComesAgainKeepsItsOrderThoughThereIsNoRoomForAMoment() {
        RecordingConsumer consumer = subscription.attach("consumer");
        List<Position> published = subscription.publish(3);
        subscription.flow(consumer, 1_000);
        subscription.awaitDelivered(consumer, 3);
        for (int looks = 0; looks < 12; looks++) {
            int before = consumer.delivered.size();
            consumer.unwritableAt.set(looks);
            subscription.dispatcher.tell(new Redeliver(consumer, published));
            OneSubscription.until("there is room again", () -> {
                subscription.flow(consumer, 1);
                return consumer.delivered.size() == before + 3;
            });
            assertThat(consumer.positions().subList(before, before + 3))
                    .as("after %d looks", looks)
                    .isEqualTo(published);
        }
    }

    @Test
    @Behaviour("ACK-1")
    void theNextConsumerIsAdmittedOnceTheFirstIsGone() {
        RecordingConsumer first = subscription.attach("first");
        subscription.dispatcher.tell(new Detach(first));
        RecordingConsumer second = subscription.attach("second");
        List<Position> published = subscription.publish(3);
        subscription.flow(second, 10);
        subscription.awaitDelivered(second, 3);
        assertThat(second.positions()).isEqualTo(published);
        assertThat(first.delivered).isEmpty();
    }

    /** Else subscriptions that nobody uses keep the memory that all reads share. */
    @Test
    @Behaviour("LOG-16")
    void withoutAConsumerNothingIsHeldOfWhatWasRead() throws IOException {
        subscription.close();
        LogConfig withoutCache = LogConfig.defaults(folder.resolve("read")).withMemory(0, 1 << 20);
        subscription = new OneSubscription(withoutCache, SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE));
        List<Position> published = subscription.publish(20_000);
        RecordingConsumer first = new RecordingConsumer("first", delivered -> delivered.to().writable = false);
        subscription.attach(first, SubscriptionType.EXCLUSIVE, 0);
        subscription.flow(first, 100);
        subscription.awaitDelivered(first, 1);
        assertThat(subscription.brokerLog.readMemoryBytes()).isPositive();
        subscription.dispatcher.tell(new Detach(first));
        subscription.stats();
        assertThat(subscription.brokerLog.readMemoryBytes()).isZero();
        RecordingConsumer second = subscription.attach("second");
        subscription.flow(second, 20_000);
        subscription.awaitDelivered(second, 20_000);
        assertThat(second.positions()).isEqualTo(published);
        subscription.checkInvariants();
    }

    /** As with Pulsar: it may acknowledge all by its last message, as readers do, or never. */
    @Test
    @Behaviour("ACK-4")
    void aSingleConsumerGetsMoreThanTheLimitOfUnacknowledgedMessages() throws IOException {
        for (SubscriptionType type : List.of(SubscriptionType.EXCLUSIVE, SubscriptionType.FAILOVER)) {
            subscription.close();
            subscription = new OneSubscription(
                    folder.resolve(type.name()),
                    SubscriptionSettings.durable("s", type).withMaxUnacked(10, 10));
            RecordingConsumer consumer = subscription.attach("only");
            subscription.flow(consumer, 100);
            subscription.publish(50);
            subscription.awaitDelivered(consumer, 50);
            assertThat(subscription.stats().isBlocked()).isFalse();
            subscription.checkInvariants();
        }
    }

    /** Of what it does not acknowledge, so much is remembered; the rest is read again for the next one. */
    @Test
    @Behaviour({"ACK-4", "ACK-6"})
    void whatIsNotRememberedOfASingleConsumerComesToTheNext() throws IOException {
        subscription.close();
        subscription = new OneSubscription(
                folder.resolve("many"),
                SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE).withMaxRemembered(10));
        RecordingConsumer first = subscription.attach("first");
        subscription.flow(first, 100);
        List<Position> published = subscription.publish(45);
        subscription.awaitDelivered(first, 45);
        assertThat(subscription.stats().unackedMessages()).isLessThan(10);
        subscription.ack(first, published.get(3), published.get(44));
        subscription.dispatcher.tell(new Detach(first));
        RecordingConsumer second = subscription.attach("second");
        subscription.flow(second, 100);
        subscription.awaitDelivered(second, 43);
        List<Position> rest = new ArrayList<>(published);
        rest.removeAll(List.of(published.get(3), published.get(44)));
        assertThat(second.positions()).isEqualTo(rest);
        subscription.checkInvariants();
    }

    /** The limits are for those who share a subscription. */
    @Test
    @Behaviour({"ACK-4", "ACK-6"})
    void whatComesAgainIsCountedBeyondTheLimitOfUnacknowledgedMessages() throws IOException {
        subscription.close();
        subscription = new OneSubscription(
                folder.resolve("counted"),
                SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE).withMaxUnacked(10, 10));
        RecordingConsumer only = subscription.attach("only");
        subscription.flow(only, 100);
        subscription.publish(20);
        subscription.awaitDelivered(only, 20);
        assertThat(subscription.stats().unackedMessages()).isEqualTo(20);
        subscription.dispatcher.tell(new Redeliver(only, List.of(), 1));
        subscription.flow(only, 100);
        subscription.awaitDelivered(only, 40);
        assertThat(only.delivered.subList(20, 40))
                .allSatisfy(each -> assertThat(each.redeliveryCount()).isEqualTo(1));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-1")
    void anotherTypeIsRefusedWhileAConsumerIsConnectedAndTakenOtherwise() {
        RecordingConsumer first = subscription.attach("first");
        BrokerException refused = subscription.refusedAttach(new RecordingConsumer("b"), SubscriptionType.SHARED);
        assertThat(refused.kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
        assertThat(refused).hasMessageContaining("different type");
        subscription.dispatcher.tell(new Detach(first));
        subscription.attach(new RecordingConsumer("b"), SubscriptionType.SHARED, 0);
        assertThat(subscription.stats().type()).isEqualTo(SubscriptionType.SHARED);
    }

    @Test
    void everythingArrivesInOrderAcrossLedgersAndPublishing() {
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 1_000);
        List<Position> before = subscription.publish(137);
        List<Position> after = subscription.publish(200);
        subscription.awaitDelivered(consumer, 337);
        assertThat(consumer.positions().subList(0, 137)).isEqualTo(before);
        assertThat(consumer.positions().subList(137, 337)).isEqualTo(after);
        OneSubscription.until("the last turn is flushed", () -> consumer.unflushed == 0);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-6")
    void redeliveringSomeEntriesGivesAllBackInOrderUnderTheNewEpoch() {
        RecordingConsumer consumer = subscription.attach("c");
        List<Position> published = subscription.publish(5);
        subscription.flow(consumer, 100);
        subscription.awaitDelivered(consumer, 5);
        subscription.ack(consumer, published.get(1));
        subscription.dispatcher.tell(new DispatcherCommand.Redeliver(consumer, List.of(published.get(3)), 7));
        subscription.awaitDelivered(consumer, 9);
        assertThat(consumer.positions().subList(5, 9))
                .containsExactly(published.get(0), published.get(2), published.get(3), published.get(4));
        assertThat(consumer.delivered.subList(5, 9))
                .allSatisfy(each -> assertThat(each.redeliveryCount()).isEqualTo(1));
        assertThat(consumer.epochs).containsExactly(7L);
    }

    @Test
    @Behaviour("ACK-3")
    void aBatchMayTakePermitsBelowZeroAndNothingFollowsUntilTheyAreBack() {
        RecordingConsumer consumer = subscription.attach("c");
        subscription.publishBatch(10);
        Position second = subscription.publishBatch(3);
        subscription.flow(consumer, 1);
        subscription.awaitDelivered(consumer, 1);
        assertThat(subscription.stats().consumers().get(0).permits()).isEqualTo(-9);
        subscription.flow(consumer, 9);
        assertThat(subscription.stats().consumers().get(0).permits()).isZero();
        assertThat(consumer.delivered).hasSize(1);
        subscription.flow(consumer, 1);
        subscription.awaitDelivered(consumer, 2);
        assertThat(consumer.positions().get(1)).isEqualTo(second);
        assertThat(subscription.stats().consumers().get(0).permits()).isEqualTo(-2);
    }

    @Test
    @Behaviour("PRO-6")
    void anUnwritableConsumerGetsNothingUntilItIsWritableAgain() {
        RecordingConsumer consumer = subscription.attach("c");
        consumer.writable = false;
        subscription.flow(consumer, 100);
        subscription.publish(3);
        assertThat(subscription.stats().pendingEntries()).isZero();
        assertThat(consumer.delivered).isEmpty();
        consumer.writable = true;
        subscription.dispatcher.tell(new DispatcherCommand.Writable());
        subscription.awaitDelivered(consumer, 3);
    }

    @Test
    @Behaviour("ACK-1")
    void aConsumerOfRangesGetsWhatIsInThemAndNobodyLosesTheRest() {
        RecordingConsumer filtered = subscription.attach(new RecordingConsumer("filtered"), ranges(0, 99, 200, 300));
        subscription.flow(filtered, 100);
        List<Position> published = subscription.publishKeys(1, 100, 99, 200, 150, 301, 300);
        subscription.awaitDelivered(filtered, 4);
        assertThat(filtered.positions())
                .containsExactly(published.get(0), published.get(2), published.get(3), published.get(6));
        subscription.ack(filtered, published.get(0), published.get(3));
        subscription.checkInvariants();
        subscription.dispatcher.tell(new Detach(filtered));
        RecordingConsumer all = subscription.attach("all");
        subscription.flow(all, 100);
        subscription.awaitDelivered(all, 5);
        assertThat(all.positions())
                .containsExactly(
                        published.get(1), published.get(2), published.get(4), published.get(5), published.get(6));
        assertThat(counts(all)).containsExactly(0, 1, 0, 0, 1);
        subscription.checkInvariants();
    }

    @Test
    void aConsumerOfRangesIsNotHeldUpByWhatTheOneBeforeGaveBack() {
        RecordingConsumer all = subscription.attach("all");
        subscription.flow(all, 3);
        List<Position> published = subscription.publishKeys(500, 1, 600, 2, 700);
        subscription.awaitDelivered(all, 3);
        subscription.dispatcher.tell(new Detach(all));
        RecordingConsumer filtered = subscription.attach(new RecordingConsumer("filtered"), ranges(0, 99));
        subscription.flow(filtered, 100);
        subscription.awaitDelivered(filtered, 2);
        assertThat(filtered.positions()).containsExactly(published.get(1), published.get(3));
        assertThat(counts(filtered)).containsExactly(1, 0);
        subscription.dispatcher.tell(new DispatcherCommand.Redeliver(filtered, List.of(), 1));
        subscription.awaitDelivered(filtered, 4);
        assertThat(filtered.positions().subList(2, 4)).containsExactly(published.get(1), published.get(3));
    }

    /** A turn ends after some entries, whatever becomes of them. */
    @Test
    void thousandsThatNobodyWantsArePassedOverAndTakeNoPermits() {
        RecordingConsumer filtered = subscription.attach(new RecordingConsumer("filtered"), ranges(7, 7));
        subscription.flow(filtered, 1);
        int[] keys = new int[5_000];
        Arrays.fill(keys, 8);
        keys[4_999] = 7;
        List<Position> published = subscription.publishKeys(keys);
        subscription.awaitDelivered(filtered, 1);
        assertThat(filtered.positions()).containsExactly(published.get(4_999));
        assertThat(subscription.stats().heldBackEntries()).isZero();
        subscription.checkInvariants();
    }

    @Test
    void rangesThatMakeNoSenseAreRefused() {
        for (ConsumerOptions options : List.of(ranges(5, 4), ranges(-1, 4), ranges(0, 65_536), ranges(0, 10, 10, 20))) {
            BrokerException refused = subscription.refusedAttach(new RecordingConsumer("filtered"), options);
            assertThat(refused.kind()).isEqualTo(ErrorKind.CONSUMER_ASSIGN);
        }
        subscription.attach("another");
    }

    private static List<Integer> counts(RecordingConsumer consumer) {
        return consumer.delivered.stream()
                .map(RecordingConsumer.Delivered::redeliveryCount)
                .toList();
    }

    private static ConsumerOptions ranges(int... ends) {
        List<KeySharedOptions.HashRange> ranges = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            ranges.add(new KeySharedOptions.HashRange(ends[i], ends[i + 1]));
        }
        return ConsumerOptions.of(1, "filtered", SubscriptionType.EXCLUSIVE)
                .withKeyShared(KeySharedOptions.sticky(ranges, false));
    }
}
