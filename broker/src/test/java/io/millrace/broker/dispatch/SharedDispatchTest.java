package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SharedDispatchTest extends DispatchFixture {
    @Test
    @Behaviour("ACK-1")
    void entriesGoRoundAmongThoseWithPermits() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        RecordingConsumer c = subscription.attach("c");
        subscription.flow(a, 2);
        subscription.flow(b, 100);
        subscription.flow(c, 100);
        subscription.publish(12);
        OneSubscription.until("all is sent", () -> a.delivered.size() + b.delivered.size() + c.delivered.size() == 12);
        assertThat(a.delivered).hasSize(2);
        assertThat(b.delivered).hasSize(5);
        assertThat(c.delivered).hasSize(5);
    }

    @Test
    @Behaviour("ACK-1")
    void aLowerPriorityLevelIsServedOnlyWhileNoHigherOneHasPermits() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer low = subscription.attach(new RecordingConsumer("low"), SubscriptionType.SHARED, 1);
        RecordingConsumer high = subscription.attach(new RecordingConsumer("high"), SubscriptionType.SHARED, 0);
        subscription.flow(high, 3);
        subscription.flow(low, 100);
        subscription.publish(5);
        subscription.awaitDelivered(high, 3);
        subscription.awaitDelivered(low, 2);
        subscription.flow(high, 4);
        subscription.publish(4);
        subscription.awaitDelivered(high, 7);
        subscription.awaitDelivered(low, 2);
    }

    @Test
    @Behaviour("ACK-4")
    void aConsumerBlocksAtItsUnackedLimitAndGoesOnAtHalf() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED).withMaxUnacked(10, 1_000));
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 1_000);
        List<Position> published = subscription.publish(30);
        subscription.awaitDelivered(a, 10);
        assertThat(subscription.stats().consumers().get(0).blockedOnUnacked()).isTrue();
        subscription.ack(a, published.subList(0, 4).toArray(new Position[0]));
        assertThat(subscription.stats().consumers().get(0).unackedMessages()).isEqualTo(6);
        assertThat(a.delivered).hasSize(10);
        subscription.ack(a, published.get(4));
        subscription.awaitDelivered(a, 15);
        subscription.checkInvariants();
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "KEY_SHARED"})
    @Behaviour({"ACK-4", "ACK-6"})
    void aBlockedConsumerThatGivesSomeBackGoesOnUntilItsLimit(SubscriptionType type) throws IOException {
        open(SubscriptionSettings.durable("s", type).withMaxUnacked(10, 1_000));
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 1_000);
        List<Position> published = subscription.publish(30);
        subscription.awaitDelivered(a, 10);
        subscription.dispatcher.tell(new Redeliver(a, List.of(new Position(77, 3))));
        assertThat(subscription.stats().consumers().get(0).blockedOnUnacked()).isTrue();
        subscription.dispatcher.tell(new Redeliver(a, published.subList(0, 2)));
        subscription.awaitDelivered(a, 12);
        assertThat(a.positions().subList(10, 12)).isEqualTo(published.subList(0, 2));
        assertThat(subscription.stats().consumers().get(0).blockedOnUnacked()).isTrue();
        subscription.ack(a, published.get(2), published.get(3));
        assertThat(a.delivered).as("acknowledgements let it go on at half").hasSize(12);
        subscription.dispatcher.tell(new Redeliver(a, List.of(published.get(4))));
        subscription.awaitDelivered(a, 15);
        assertThat(a.positions().subList(12, 15))
                .containsExactly(published.get(4), published.get(10), published.get(11));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-4")
    void theSubscriptionsLimitHoldsBackNewEntriesButNotRedeliveries() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED).withMaxUnacked(1_000, 10));
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(a, 5);
        subscription.flow(b, 1_000);
        List<Position> published = subscription.publish(20);
        OneSubscription.until("ten are out", () -> a.delivered.size() + b.delivered.size() == 10);
        Position returned = a.positions().get(0);
        subscription.dispatcher.tell(new Redeliver(a, List.of(returned)));
        OneSubscription.until("it is sent again", () -> b.positions().contains(returned));
        assertThat(subscription.stats().unackedMessages()).isEqualTo(10);
        subscription.ack(a, published.subList(0, 5).toArray(new Position[0]));
        OneSubscription.until("the rest is let out", () -> a.delivered.size() + b.delivered.size() == 16);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-6")
    void whatADeadConsumerHeldGoesToTheOthersInOrderWithItsCount() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer dies = subscription.attach("dies");
        subscription.flow(dies, 6);
        List<Position> published = subscription.publish(10);
        subscription.awaitDelivered(dies, 6);
        RecordingConsumer lives = subscription.attach("lives");
        subscription.dispatcher.tell(new Detach(dies));
        subscription.flow(lives, 100);
        subscription.awaitDelivered(lives, 10);
        assertThat(lives.positions()).isEqualTo(published);
        for (int i = 0; i < 10; i++) {
            assertThat(lives.delivered.get(i).redeliveryCount()).isEqualTo(i < 6 ? 1 : 0);
        }
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-6")
    void listedEntriesComeBackBeforeNewOnesAndTheirCountGrowsUntilTheAcknowledgement() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 4);
        List<Position> published = subscription.publish(6);
        subscription.awaitDelivered(a, 4);
        Position second = published.get(1);
        Position third = published.get(2);
        subscription.dispatcher.tell(new Redeliver(a, List.of(third, second, second, new Position(77, 3))));
        subscription.flow(a, 3);
        subscription.awaitDelivered(a, 7);
        assertThat(a.positions().subList(4, 7)).containsExactly(second, third, published.get(4));
        subscription.dispatcher.tell(new Redeliver(a, List.of(second)));
        subscription.flow(a, 1);
        subscription.awaitDelivered(a, 8);
        assertThat(a.delivered.get(7).redeliveryCount()).isEqualTo(2);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-6")
    void anEntryOfAnotherConsumerIsNotGivenBack() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(a, 1);
        List<Position> published = subscription.publish(1);
        subscription.awaitDelivered(a, 1);
        subscription.flow(b, 10);
        subscription.dispatcher.tell(new Redeliver(b, published));
        assertThat(subscription.stats().pendingEntries()).isEqualTo(1);
        assertThat(b.delivered).isEmpty();
    }

    @Test
    @Behaviour("ACK-11")
    void aConsumerThatTakesNothingHoldsUpNeitherOthersNorAnotherSubscription() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer dead = subscription.attach("dead");
        subscription.flow(dead, 1_000);
        dead.writable = false;
        RecordingConsumer lives = subscription.attach("lives");
        subscription.flow(lives, 5_000);
        var own = subscription.dispatcher;
        SubscriptionSettings other = SubscriptionSettings.durable("other", SubscriptionType.EXCLUSIVE);
        subscription.dispatcher = subscription.durable(other);
        RecordingConsumer elsewhere =
                subscription.attach(new RecordingConsumer("elsewhere"), SubscriptionType.EXCLUSIVE, 0);
        subscription.flow(elsewhere, 5_000);
        List<Position> published = new ArrayList<>(subscription.publish(3_000));
        subscription.awaitDelivered(lives, 3_000);
        subscription.awaitDelivered(elsewhere, 3_000);
        assertThat(elsewhere.positions()).isEqualTo(published);
        assertThat(dead.delivered).isEmpty();
        subscription.dispatcher = own;
        subscription.checkInvariants();
    }

    @Test
    @Behaviour({"ACK-1", "ACK-11"})
    void theChunksOfAMessageGoToOneConsumerAndOthersPassThem() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(a, 1);
        Position first = subscription.append(1, 7, 0, EntryHeader.CHUNKED | EntryHeader.FIRST_CHUNK);
        subscription.awaitDurable();
        subscription.awaitDelivered(a, 1);
        subscription.flow(b, 100);
        Position middle = subscription.append(1, 7, 0, EntryHeader.CHUNKED);
        Position between = subscription.append(1, 9, 0, 0);
        Position last = subscription.append(1, 7, 0, EntryHeader.CHUNKED | EntryHeader.LAST_CHUNK);
        Position after = subscription.append(1, 11, 0, 0);
        subscription.awaitDurable();
        subscription.awaitDelivered(b, 2);
        assertThat(b.positions()).containsExactly(between, after);
        assertThat(subscription.stats().heldBackEntries()).isEqualTo(2);
        subscription.checkInvariants();
        subscription.flow(a, 10);
        subscription.awaitDelivered(a, 3);
        assertThat(a.positions()).containsExactly(first, middle, last);
    }

    @Test
    @Behaviour("ACK-1")
    void chunkedMessagesOfOneKeyStayWhole() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(a, 1);
        List<Position> one = new ArrayList<>(List.of(chunk(0, 1)));
        subscription.awaitDelivered(a, 1);
        subscription.flow(b, 1);
        List<Position> other = new ArrayList<>(List.of(chunk(0, 2)));
        subscription.awaitDelivered(b, 1);
        one.add(chunk(1, 1));
        subscription.flow(b, 10);
        one.add(chunk(2, 1));
        subscription.flow(a, 10);
        subscription.awaitDelivered(a, 3);
        other.add(chunk(1, 2));
        other.add(chunk(2, 2));
        subscription.awaitDelivered(b, 3);
        assertThat(a.positions()).isEqualTo(one);
        assertThat(b.positions()).isEqualTo(other);
        subscription.checkInvariants();
    }

    /** The consumer that has begun one message takes nothing; another message of the same key is another consumer's. */
    @Test
    @Behaviour("ACK-1")
    void aChunkedMessageDoesNotWaitForAnotherOfItsKey() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer a = subscription.attach("a");
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(a, 1);
        List<Position> one = new ArrayList<>(List.of(chunk(0, 1)));
        subscription.awaitDelivered(a, 1);
        subscription.flow(b, 1);
        List<Position> other = new ArrayList<>(List.of(chunk(0, 2)));
        subscription.awaitDelivered(b, 1);
        one.add(chunk(1, 1));
        other.add(chunk(1, 2));
        other.add(chunk(2, 2));
        subscription.flow(b, 10);
        subscription.awaitDelivered(b, 3);
        assertThat(b.positions()).isEqualTo(other);
        subscription.checkInvariants();
        subscription.flow(a, 10);
        one.add(chunk(2, 1));
        subscription.awaitDelivered(a, 3);
        assertThat(a.positions()).isEqualTo(one);
        subscription.checkInvariants();
    }

    /** One of three of a message, all messages of one key. */
    private Position chunk(int chunk, int message) {
        Position position = subscription.append(1, 7, 0, EntryHeader.chunkFlags(chunk, 3, message));
        subscription.awaitDurable();
        return position;
    }

    @Test
    @Behaviour("ACK-1")
    void aWholeMessageDoesNotWaitForChunksOfItsKey() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 1);
        chunk(0, 1);
        subscription.awaitDelivered(a, 1);
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(b, 10);
        chunk(1, 1);
        Position whole = subscription.append(1, 7, 0, 0);
        subscription.awaitDurable();
        subscription.awaitDelivered(b, 1);
        assertThat(b.positions()).containsExactly(whole);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour({"ACK-1", "ACK-6"})
    void theChunksOfADeadConsumerGoTogetherToAnother() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer dies = subscription.attach("dies");
        subscription.flow(dies, 2);
        List<Position> chunks = new ArrayList<>();
        chunks.add(subscription.append(1, 7, 0, EntryHeader.CHUNKED | EntryHeader.FIRST_CHUNK));
        for (int i = 0; i < 10; i++) {
            chunks.add(subscription.append(1, 7, 0, EntryHeader.CHUNKED));
        }
        chunks.add(subscription.append(1, 7, 0, EntryHeader.CHUNKED | EntryHeader.LAST_CHUNK));
        subscription.awaitDurable();
        subscription.awaitDelivered(dies, 2);
        RecordingConsumer b = subscription.attach("b");
        RecordingConsumer c = subscription.attach("c");
        subscription.dispatcher.tell(new Detach(dies));
        subscription.flow(b, 100);
        subscription.flow(c, 100);
        OneSubscription.until("all is sent", () -> b.delivered.size() + c.delivered.size() == 12);
        assertThat(b.delivered.isEmpty() ? c.positions() : b.positions()).isEqualTo(chunks);
    }

    @Test
    @Behaviour("ACK-11")
    void oneDeadConsumerAmongAHundredLeavesTheOthersTheirShare() throws IOException {
        open(SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        RecordingConsumer dead = subscription.attach("dead");
        subscription.flow(dead, 1_000);
        List<RecordingConsumer> others = new ArrayList<>();
        for (int i = 1; i < 100; i++) {
            RecordingConsumer other = subscription.attach("c" + i);
            subscription.flow(other, 10_000);
            others.add(other);
        }
        List<Position> published = subscription.publish(3_000);
        OneSubscription.until("all is sent", () -> dead.delivered.size() + total(others) == published.size());
        dead.writable = false;
        int before = total(others);
        List<Position> more = subscription.publish(9_900);
        OneSubscription.until("the others get everything", () -> total(others) - before == more.size());
        assertThat(others).allSatisfy(other -> assertThat(other.delivered).hasSizeBetween(129, 131));
        subscription.dispatcher.tell(new Detach(dead));
        OneSubscription.until("the others get what it held", () -> total(others) == published.size() + more.size());
        subscription.checkInvariants();
    }

    private static int total(List<RecordingConsumer> consumers) {
        return consumers.stream()
                .mapToInt(consumer -> consumer.delivered.size())
                .sum();
    }
}
