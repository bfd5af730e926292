package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Locate;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.log.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an administrator skips: consumers stay, and nothing of it is left anywhere. */
class SkipTest {
    @TempDir
    Path folder;

    private OneSubscription subscription;

    private void open(SubscriptionType type) throws IOException {
        subscription = new OneSubscription(folder, SubscriptionSettings.durable("s", type));
        subscription.durable(SubscriptionSettings.durable("keeps-everything", SubscriptionType.EXCLUSIVE));
    }

    @AfterEach
    void close() {
        subscription.close();
    }

    private void skip(SkipTarget target) {
        subscription.<Void>ask(reply -> new Skip(target, reply));
        subscription.checkInvariants();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    void whatIsSkippedIsAcknowledgedDurablyAndTheConsumerStays(SubscriptionType type) throws IOException {
        open(type);
        List<Position> published = subscription.publish(25);
        skip(new SkipTarget.Entries(12));
        subscription.restart();
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 5);
        subscription.awaitDelivered(consumer, 5);
        assertThat(consumer.positions()).isEqualTo(published.subList(12, 17));
        skip(new SkipTarget.UpTo(published.get(14)));
        assertThat(subscription.stats().unackedMessages()).isEqualTo(2);
        skip(SkipTarget.ALL);
        assertThat(subscription.stats().unackedMessages()).isZero();
        assertThat(subscription.stats().backlogEntries()).isZero();
        subscription.flow(consumer, 5);
        List<Position> more = subscription.publish(1);
        subscription.awaitDelivered(consumer, 6);
        assertThat(consumer.positions()).endsWith(more.get(0));
        assertThat(consumer.closes).isEmpty();
        assertThat(subscription.stats().sent().messages()).isEqualTo(6);
    }

    @Test
    void skippedKeysAreFreeAgain() throws IOException {
        open(SubscriptionType.KEY_SHARED);
        RecordingConsumer first = subscription.attach("c");
        subscription.flow(first, 1);
        subscription.publishKeys(7, 7, 7);
        subscription.awaitDelivered(first, 1);
        skip(SkipTarget.ALL);
        subscription.flow(first, 10);
        List<Position> next = subscription.publishKeys(7, 7);
        subscription.awaitDelivered(first, 3);
        assertThat(first.positions()).endsWith(next.get(0), next.get(1));
    }

    @Test
    void skippedEntriesAreNotDelayedAnyMore() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 10);
        for (int i = 0; i < 3; i++) {
            subscription.append(1, 0, subscription.nowMillis + 10_000, 0);
        }
        subscription.awaitDurable();
        OneSubscription.until("they are delayed", () -> subscription.stats().delayedEntries() == 3);
        skip(SkipTarget.ALL);
        assertThat(subscription.stats().delayedEntries()).isZero();
        subscription.advance(60_000);
        List<Position> next = subscription.publish(1);
        subscription.awaitDelivered(consumer, 1);
        assertThat(consumer.positions()).isEqualTo(next);
    }

    @Test
    void entriesAreLocatedBehindThoseThatAreAcknowledged() throws IOException {
        open(SubscriptionType.SHARED);
        RecordingConsumer consumer = subscription.attach("c");
        subscription.flow(consumer, 25);
        List<Position> published = subscription.publish(25);
        subscription.awaitDelivered(consumer, 25);
        subscription.ack(consumer, published.get(0), published.get(2), published.get(11));
        assertThat(locate(1)).isEqualTo(published.get(1));
        assertThat(locate(2)).isEqualTo(published.get(3));
        assertThat(locate(10)).isEqualTo(published.get(12));
        assertThat(locate(1_000)).isEqualTo(published.get(24));
        assertThat(subscription.stats().backlogEntries()).isEqualTo(22);
    }

    private Position locate(long count) {
        return subscription.ask(reply -> new Locate(count, reply));
    }

    @Test
    void skippingBackwardsDoesNothing() throws IOException {
        open(SubscriptionType.SHARED);
        List<Position> published = subscription.publish(5);
        skip(new SkipTarget.UpTo(published.get(3)));
        skip(new SkipTarget.UpTo(published.get(1)));
        skip(new SkipTarget.Entries(0));
        assertThat(subscription.stats().backlogEntries()).isEqualTo(1);
        CompletableFuture<Void> reply = new CompletableFuture<>();
        subscription.dispatcher.tell(new Skip(new SkipTarget.Entries(Long.MAX_VALUE), reply));
        OneSubscription.await(reply);
        assertThat(subscription.stats().backlogEntries()).isZero();
    }
}
