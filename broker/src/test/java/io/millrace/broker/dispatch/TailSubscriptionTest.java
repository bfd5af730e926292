package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TailSubscriptionTest {
    @TempDir
    Path folder;

    private OneSubscription subscription;
    private RecordingConsumer consumer;

    @BeforeEach
    void open() throws IOException {
        open(1024);
    }

    private void open(int hubBuffer) throws IOException {
        LogConfig config = LogConfig.defaults(folder).withLedgers(1 << 20, 300).withMemory(8 * 1024, 1 << 20);
        subscription =
                new OneSubscription(config, SubscriptionSettings.durable("s", SubscriptionType.EXCLUSIVE), hubBuffer);
        consumer = subscription.attach("c");
    }

    @AfterEach
    void close() {
        subscription.close();
    }

    @Test
    @Behaviour("ACK-13")
    void aDispatcherJoinsTheTailWhenItHasReadEverything() {
        List<Position> published = new ArrayList<>(subscription.publish(500));
        assertThat(subscription.stats().attachedToTail()).isFalse();
        subscription.flow(consumer, 1_000);
        subscription.awaitDelivered(consumer, 500);
        OneSubscription.until("it is at the tail", () -> subscription.stats().attachedToTail());
        published.addAll(subscription.publish(500));
        subscription.awaitDelivered(consumer, 1_000);
        assertThat(consumer.positions()).isEqualTo(published);
        OneSubscription.until("the hub counts it", () -> subscription.hub.consumerCount() == 1);
    }

    @Test
    @Behaviour("ACK-13")
    void withoutPermitsItLeavesAndRejoinsWhereItStopped() {
        subscription.flow(consumer, 10);
        List<Position> published = new ArrayList<>(subscription.publish(5));
        subscription.awaitDelivered(consumer, 5);
        OneSubscription.until("it is at the tail", () -> subscription.stats().attachedToTail());
        published.addAll(subscription.publish(TailSubscription.LOOKAHEAD_ENTRIES + 100));
        OneSubscription.until("it has left", () -> !subscription.stats().attachedToTail());
        OneSubscription.until("the hub forgot it", () -> subscription.hub.consumerCount() == 0);
        subscription.awaitDelivered(consumer, 10);
        subscription.flow(consumer, 100_000);
        published.addAll(subscription.publish(50));
        OneSubscription.until("it is back", () -> subscription.stats().attachedToTail());
        published.addAll(subscription.publish(50));
        subscription.awaitDelivered(consumer, published.size());
        assertThat(consumer.positions()).isEqualTo(published);
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-13")
    void aShortLackOfPermitsDoesNotMakeItLeave() {
        subscription.flow(consumer, 1);
        subscription.publish(1);
        OneSubscription.until("it is at the tail", () -> {
            subscription.flow(consumer, 1);
            return subscription.stats().attachedToTail();
        });
        subscription.publish(200);
        assertThat(subscription.stats().attachedToTail()).isTrue();
    }

    @Test
    @Behaviour({"ACK-13", "ACK-5"})
    void anEntryAcknowledgedBetweenItsReadAndItsTurnIsNotSent() {
        List<Position> published = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            published.add(subscription.append(4));
        }
        subscription.awaitDurable();
        subscription.flow(consumer, 4);
        subscription.awaitDelivered(consumer, 1);
        subscription.ack(consumer, published.get(2));
        subscription.checkInvariants();
        subscription.flow(consumer, 8);
        subscription.awaitDelivered(consumer, 3);
        assertThat(consumer.positions()).containsExactly(published.get(0), published.get(1), published.get(3));
    }

    @Test
    @Behaviour({"ACK-13", "ACK-11"})
    void beingLeftBehindByTheHubSkipsAndRepeatsNothing() throws IOException {
        subscription.close();
        open(2);
        List<Position> published = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 40; i++) {
                published.add(subscription.append(1));
            }
            subscription.flow(consumer, round % 3 == 0 ? 75 : 30);
            if (round % 50 == 49) {
                consumer.writable = !consumer.writable;
                subscription.dispatcher.tell(new DispatcherCommand.Writable());
            }
        }
        consumer.writable = true;
        subscription.flow(consumer, 100_000);
        subscription.awaitDurable();
        subscription.awaitDelivered(consumer, published.size());
        assertThat(consumer.positions()).isEqualTo(published);
        subscription.checkInvariants();
    }
}
