package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AcknowledgementTest extends DispatchFixture {
    @Test
    @Behaviour({"ACK-7", "LOG-1"})
    void theMarkMovesToTheEndOfThePrefixAndHolesSurviveARestart() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        List<Position> published = subscription.publish(25);
        subscription.awaitDelivered(a, 25);
        subscription.ack(a, published.get(0), published.get(1), published.get(4), published.get(17));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(1));
        subscription.restart();
        RecordingConsumer again = subscription.attach("again");
        subscription.flow(again, 100);
        subscription.awaitDelivered(again, 21);
        assertThat(again.positions()).doesNotContain(published.get(4), published.get(17));
        assertThat(again.positions().get(0)).isEqualTo(published.get(2));
        subscription.checkInvariants();
        subscription.ack(again, published.get(2), published.get(3));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(4));
    }

    @Test
    @Behaviour("ACK-5")
    void aCumulativeAcknowledgementCoversEverythingUpToIt() throws IOException {
        open(SubscriptionType.EXCLUSIVE);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        List<Position> published = subscription.publish(25);
        subscription.awaitDelivered(a, 25);
        subscription.ackUpTo(a, published.get(12));
        subscription.ackUpTo(a, published.get(5));
        subscription.ackUpTo(a, published.get(12));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(12));
        assertThat(subscription.stats().pendingEntries()).isEqualTo(12);
        subscription.checkInvariants();
        subscription.restart();
        RecordingConsumer again = subscription.attach("again");
        subscription.flow(again, 100);
        subscription.awaitDelivered(again, 12);
        assertThat(again.positions()).isEqualTo(published.subList(13, 25));
    }

    @Test
    @Behaviour("ACK-5")
    void aCumulativeAcknowledgementIsIgnoredOnShared() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        List<Position> published = subscription.publish(5);
        subscription.awaitDelivered(a, 5);
        subscription.ackUpTo(a, published.get(3));
        assertThat(subscription.stats().pendingEntries()).isEqualTo(5);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void acknowledgingAnEntryOfAnotherConsumerLowersThatOnesCount() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 3);
        List<Position> published = subscription.publish(3);
        subscription.awaitDelivered(a, 3);
        RecordingConsumer b = subscription.attach("b");
        subscription.ack(b, published.get(0), published.get(2));
        assertThat(subscription.stats().unackedMessages()).isEqualTo(1);
        assertThat(subscription.stats().consumers())
                .filteredOn(each -> each.name().equals("a"))
                .allSatisfy(each -> assertThat(each.unackedMessages()).isEqualTo(1));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void acknowledgingTwiceOrWhileItWaitsToBeSentAgainCountsOnce() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 3);
        List<Position> published = subscription.publish(3);
        subscription.awaitDelivered(a, 3);
        subscription.ack(a, published.get(1));
        subscription.ack(a, published.get(1), published.get(1));
        subscription.dispatcher.tell(new Redeliver(a, List.of()));
        assertThat(subscription.stats().waitingEntries()).isEqualTo(2);
        subscription.ack(a, published.get(0));
        assertThat(subscription.stats().waitingEntries()).isEqualTo(1);
        subscription.checkInvariants();
        subscription.flow(a, 10);
        subscription.awaitDelivered(a, 4);
        assertThat(a.positions().get(3)).isEqualTo(published.get(2));
    }

    @Test
    @Behaviour("ACK-5")
    void anEntryThatWasNeverStoredChangesNothingAndFailsNoReceipt() throws IOException {
        open(SubscriptionType.EXCLUSIVE);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        List<Position> published = subscription.publish(12);
        subscription.awaitDelivered(a, 12);
        Position beyondItsLedger = new Position(published.get(0).ledgerId(), 99_999);
        Position noSuchLedger = new Position(4_711, 0);
        OneSubscription.await(subscription.acking(
                a, AckRequest.individual(List.of(beyondItsLedger, published.get(3), noSuchLedger))));
        assertThat(subscription.stats().pendingEntries()).isEqualTo(11);
        OneSubscription.await(subscription.acking(a, AckRequest.cumulative(noSuchLedger)));
        assertThat(subscription.stats().pendingEntries()).isEqualTo(11);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void anEntryAcknowledgedBeforeItWasReadIsNotSent() throws IOException {
        open(SubscriptionType.EXCLUSIVE);
        RecordingConsumer a = subscription.attach("a");
        List<Position> published = subscription.publish(4);
        subscription.ack(a, published.get(1));
        subscription.flow(a, 100);
        subscription.awaitDelivered(a, 3);
        assertThat(a.positions()).doesNotContain(published.get(1));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void aBatchAcknowledgedInPartComesBackWithWhatIsLeftOfIt() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        Position batch = subscription.publishBatch(10);
        subscription.awaitDelivered(a, 1);
        subscription.ackPartly(a, batch, 0b11_1111_1010L);
        subscription.ackPartly(a, batch, 0b11_1111_1101L);
        assertThat(subscription.stats().unackedMessages()).isEqualTo(7);
        subscription.dispatcher.tell(new Redeliver(a, List.of(batch)));
        subscription.awaitDelivered(a, 2);
        assertThat(a.delivered.get(1).ackSet()).containsExactly(0b11_1111_1000L);
        assertThat(subscription.stats().consumers().get(0).permits()).isEqualTo(100 - 10 - 7);
        subscription.restart();
        RecordingConsumer again = subscription.attach("again");
        subscription.flow(again, 100);
        subscription.awaitDelivered(again, 1);
        assertThat(again.delivered.get(0).ackSet()).containsExactly(0b11_1111_1000L);
        subscription.ackPartly(again, batch, 0b111L);
        assertThat(subscription.stats().pendingEntries()).isZero();
        assertThat(subscription.stats().markDelete()).isEqualTo(batch);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-5")
    void aCumulativeAcknowledgementWithinABatchKeepsTheRestOfTheBatch() throws IOException {
        open(SubscriptionType.EXCLUSIVE);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 100);
        List<Position> before = subscription.publish(2);
        Position batch = subscription.publishBatch(4);
        subscription.awaitDelivered(a, 3);
        OneSubscription.await(subscription.acking(
                a, new AckRequest(AckRequest.Kind.CUMULATIVE, List.of(new AckedPosition(batch, new long[] {0b1100})))));
        assertThat(subscription.stats().markDelete()).isEqualTo(before.get(1));
        assertThat(subscription.stats().unackedMessages()).isEqualTo(2);
        subscription.checkInvariants();
    }

    @Test
    void anAcknowledgementByADetachedConsumerIsRefused() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer a = subscription.attach("a");
        subscription.dispatcher.tell(new Detach(a));
        List<Position> published = subscription.publish(1);
        CompletableFuture<Void> receipt = subscription.acking(a, AckRequest.individual(published));
        assertThat(OneSubscription.failure(receipt).kind()).isEqualTo(ErrorKind.NOT_ALLOWED);
    }
}
