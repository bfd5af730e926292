package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import io.millrace.broker.dispatch.SeekTarget.ToPosition;
import io.millrace.broker.dispatch.SeekTarget.ToTime;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeekTest {
    @TempDir
    Path folder;

    private OneSubscription subscription;
    private RecordingConsumer consumer;
    private List<Position> published;

    @BeforeEach
    void open() throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE));
        subscription.durable(SubscriptionSettings.durable("keeps-everything", SubscriptionType.EXCLUSIVE));
        consumer = subscription.attach("c");
        subscription.flow(consumer, 100);
        published = subscription.publish(25);
        subscription.awaitDelivered(consumer, 25);
        subscription.ackUpTo(consumer, published.get(14));
    }

    @AfterEach
    void close() {
        subscription.close();
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToAnEntryMakesItTheNextOne() throws IOException {
        subscription.seek(ToPosition.of(published.get(7)));
        assertThat(consumer.closes).containsExactly(CloseReason.SEEK);
        assertContinuesWith(published.subList(7, 25));
        subscription.restart();
        assertContinuesWith(published.subList(7, 25));
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToTheFirstEntryOfALedgerMakesItTheNextOne() {
        subscription.seek(ToPosition.of(published.get(10)));
        assertContinuesWith(published.subList(10, 25));
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToEarliestStartsOver() {
        subscription.seek(ToPosition.of(SeekTarget.EARLIEST));
        assertContinuesWith(published);
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToLatestGivesOnlyWhatComesLater() {
        subscription.seek(ToPosition.of(SeekTarget.LATEST));
        List<Position> later = subscription.publish(3);
        assertContinuesWith(later);
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToATimeGivesWhatWasPublishedThenAndLater() {
        subscription.seek(new ToTime(1_000 + 18));
        assertContinuesWith(published.subList(18, 25));
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekToATimeAfterEverythingGivesOnlyWhatComesLater() {
        subscription.seek(new ToTime(Long.MAX_VALUE));
        assertContinuesWith(subscription.publish(2));
    }

    @Test
    @Behaviour("ACK-9")
    void aSeekIntoABatchKeepsItsEarlierMessagesAcknowledged() {
        Position batch = subscription.publishBatch(4);
        subscription.awaitDelivered(consumer, 26);
        subscription.seek(new ToPosition(batch, new long[] {0b1100}));
        RecordingConsumer again = subscription.attach("again");
        subscription.flow(again, 100);
        subscription.awaitDelivered(again, 1);
        assertThat(again.delivered.get(0).ackSet()).containsExactly(0b1100L);
    }

    @Test
    @Behaviour("ACK-9")
    void whatIsReadBeforeASeekAndArrivesAfterItGoesToNobody() throws IOException {
        subscription.close();
        LogConfig noCache = LogConfig.defaults(folder.resolve("cold"))
                .withLedgers(1 << 20, 1_000)
                .withMemory(4_096, 1 << 20);
        subscription = new OneSubscription(noCache, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
        subscription.durable(SubscriptionSettings.durable("keeps-everything", SubscriptionType.EXCLUSIVE));
        published = subscription.publish(2_000);
        for (int round = 0; round < 30; round++) {
            RecordingConsumer reading = subscription.attach("reading" + round);
            subscription.flow(reading, 10);
            int target = 100 + 50 * round;
            subscription.seek(ToPosition.of(published.get(target)));
            RecordingConsumer again = subscription.attach("again" + round);
            subscription.flow(again, 20);
            subscription.awaitDelivered(again, 20);
            assertThat(again.positions()).isEqualTo(published.subList(target, target + 20));
            subscription.checkInvariants();
            subscription.dispatcher.tell(new Detach(again));
        }
    }

    @Test
    @Behaviour("ACK-10")
    void aReaderStartsAtItsEntryAndEndsWithItsLastConsumer() {
        var state = new CursorState(subscription.log, Dispatchers.startingAt(subscription.log, published.get(4)));
        SubscriptionSettings reader = SubscriptionSettings.nonDurable("reader", SubscriptionType.EXCLUSIVE);
        subscription.dispatcher = subscription.run(reader, null, state);
        assertContinuesWith(published.subList(4, 25));
        assertThat(subscription.stats().markDelete()).isLessThan(published.get(4));
        RecordingConsumer attached = consumer;
        subscription.dispatcher.tell(new Detach(attached));
        OneSubscription.await(subscription.dispatcher.whenTerminated());
    }

    @Test
    @Behaviour({"ACK-9", "ACK-10"})
    void aReaderThatSeeksIsAwaited() {
        var state = new CursorState(subscription.log, Dispatchers.startingAt(subscription.log, SeekTarget.LATEST));
        SubscriptionSettings reader = SubscriptionSettings.nonDurable("reader", SubscriptionType.EXCLUSIVE);
        subscription.dispatcher = subscription.run(reader, null, state);
        RecordingConsumer first = subscription.attach("first");
        subscription.seek(ToPosition.of(published.get(20)));
        subscription.dispatcher.tell(new Detach(first));
        assertContinuesWith(published.subList(20, 25));
    }

    @Test
    @Behaviour("ACK-10")
    void startingAtLatestSkipsWhatIsStored() {
        assertThat(Dispatchers.startingAt(subscription.log, SeekTarget.LATEST)).isEqualTo(published.get(24));
        Position earliest = Dispatchers.startingAt(subscription.log, SeekTarget.EARLIEST);
        assertThat(subscription.log.next(earliest)).isEqualTo(published.get(0));
    }

    @Test
    void unsubscribingIsRefusedWhileOthersAreConnectedUnlessForced() {
        CompletableFuture<Void> refused = new CompletableFuture<>();
        subscription.dispatcher.tell(new Unsubscribe(null, false, refused));
        assertThat(OneSubscription.failure(refused).kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
        subscription.<Void>ask(reply -> new Unsubscribe(null, true, reply));
        assertThat(consumer.closes).containsExactly(CloseReason.UNSUBSCRIBED);
        OneSubscription.await(subscription.dispatcher.whenTerminated());
    }

    @Test
    void theConsumerThatUnsubscribesIsNotToldThatItIsClosed() {
        subscription.<Void>ask(reply -> new Unsubscribe(consumer, false, reply));
        OneSubscription.await(subscription.dispatcher.whenTerminated());
        assertThat(consumer.closes).isEmpty();
    }

    @Test
    @Behaviour("LOG-1")
    void closingAnswersEveryAcknowledgementFirst() {
        CompletableFuture<Void> receipt = subscription.acking(consumer, AckRequest.individual(published));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        subscription.dispatcher.tell(new Close(closed));
        OneSubscription.await(closed);
        assertThat(receipt).isCompleted();
        assertThat(consumer.closes).containsExactly(CloseReason.TOPIC_CLOSED);
    }

    private void assertContinuesWith(List<Position> expected) {
        consumer = subscription.attach("again");
        subscription.flow(consumer, 1_000);
        RecordingConsumer again = consumer;
        OneSubscription.until("all has come", () -> again.delivered.size() >= expected.size());
        assertThat(again.positions()).isEqualTo(expected);
        subscription.checkInvariants();
    }
}
