package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The unmodified Java client against a whole broker. */
@Timeout(180)
class ClientRoundTripTest {
    private static final int MESSAGES = 10_000;

    @TempDir
    Path folder;

    private Broker broker;
    private PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder.resolve("data")).withPort(0));
        client = RealClient.of(broker).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Behaviour({"PRO-3", "PRO-7"})
    void everyMessageArrivesOnceAndInOrderOverARestart(boolean batched) throws Exception {
        Consumer<byte[]> first = subscribe(SubscriptionType.Exclusive);
        produce(batched);
        receiveInOrder(first, 0, MESSAGES / 2);
        restart();
        receiveInOrder(subscribe(SubscriptionType.Exclusive), MESSAGES / 2, MESSAGES);
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    void everySubscriptionTypeGetsEveryMessage(SubscriptionType type) throws Exception {
        Consumer<byte[]> consumer = subscribe(type);
        produce(true);
        Set<String> received = new HashSet<>();
        List<CompletableFuture<Void>> receipts = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            Message<byte[]> message = receive(consumer);
            received.add(text(message));
            receipts.add(consumer.acknowledgeAsync(message));
        }
        CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        assertThat(received).hasSize(MESSAGES);
        assertThat(consumer.receive(50, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    @Behaviour("PRO-5")
    void aConsumerThatGoesGivesBackWhatItDidNotAcknowledge() throws Exception {
        Consumer<byte[]> first = subscribe(SubscriptionType.Shared);
        try (Producer<byte[]> producer = client.newProducer().topic("trip").create()) {
            producer.send("unacknowledged".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(text(receive(first))).isEqualTo("unacknowledged");
        first.close();
        Message<byte[]> again = receive(subscribe(SubscriptionType.Shared));
        assertThat(text(again)).isEqualTo("unacknowledged");
        assertThat(again.getRedeliveryCount()).isEqualTo(1);
    }

    private void restart() throws Exception {
        client.close();
        broker.close();
        start();
    }

    private Consumer<byte[]> subscribe(SubscriptionType type) throws Exception {
        return client.newConsumer()
                .topic("trip")
                .subscriptionName("audit")
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .isAckReceiptEnabled(true)
                .subscribe();
    }

    private void produce(boolean batched) throws Exception {
        try (Producer<byte[]> producer = client.newProducer()
                .topic("trip")
                .enableBatching(batched)
                .blockIfQueueFull(true)
                .create()) {
            List<CompletableFuture<MessageId>> receipts = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                receipts.add(producer.sendAsync(("message " + i).getBytes(StandardCharsets.UTF_8)));
            }
            producer.flush();
            CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        }
    }

    private static void receiveInOrder(Consumer<byte[]> consumer, int from, int to) throws Exception {
        List<CompletableFuture<Void>> receipts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            Message<byte[]> message = receive(consumer);
            assertThat(text(message)).isEqualTo("message " + i);
            receipts.add(consumer.acknowledgeAsync(message));
        }
        CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }

    private static Message<byte[]> receive(Consumer<byte[]> consumer) throws Exception {
        Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("a message within 20 s").isNotNull();
        return message;
    }

    private static String text(Message<byte[]> message) {
        return new String(message.getData(), StandardCharsets.UTF_8);
    }
}
