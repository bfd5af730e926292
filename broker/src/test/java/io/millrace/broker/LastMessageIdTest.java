package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The last message id in every state of a topic, with the answers that Pulsar 4.2.4 gives. */
@Timeout(120)
class LastMessageIdTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("ACK-10")
    void aNewTopicHasNone() throws Exception {
        try (Broker broker = start();
                PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer = consumer(client)) {
            assertThat(last(consumer).getEntryId()).isEqualTo(-1);
            assertThat(hasMessageAvailable(client)).isFalse();
        }
    }

    @Test
    @Behaviour("ACK-10")
    void anAcknowledgedMessageThatIsKeptIsTheLastAlsoAfterASeek() throws Exception {
        try (Broker broker = start();
                PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer = consumer(client)) {
            MessageIdAdv id = publishAndAcknowledge(client, consumer);
            assertThat(last(consumer)).isEqualTo(id);
            consumer.seek(MessageId.latest);
            assertThat(last(consumer)).isEqualTo(id);
        }
    }

    @Test
    @Behaviour("ACK-10")
    void aTopicWhoseMessagesAreAllDeletedHasNoneAndReadersAreToldSo() throws Exception {
        try (Broker broker = start();
                PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer = consumer(client)) {
            publishAndAcknowledge(client, consumer);
        }
        try (Broker broker = start();
                PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer = consumer(client)) {
            awaitNothingAvailable(client);
            assertThat(last(consumer).getEntryId()).isEqualTo(-1);
            consumer.seek(MessageId.earliest);
            assertThat(last(consumer).getEntryId()).isEqualTo(-1);
            assertThat(hasMessageAvailable(client)).isFalse();
            MessageIdAdv next = publishAndAcknowledge(client, consumer);
            assertThat(last(consumer)).isEqualTo(next);
            assertThat(hasMessageAvailable(client)).isTrue();
        }
    }

    /** The ledger that holds an acknowledged message is deleted a moment after the restart. */
    private static void awaitNothingAvailable(PulsarClient client) throws PulsarClientException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (hasMessageAvailable(client) && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(hasMessageAvailable(client)).isFalse();
    }

    private static boolean hasMessageAvailable(PulsarClient client) throws PulsarClientException {
        try (Reader<byte[]> reader = client.newReader()
                .topic("last")
                .startMessageId(MessageId.earliest)
                .create()) {
            return reader.hasMessageAvailable();
        } catch (IOException e) {
            throw new PulsarClientException(e);
        }
    }

    private static MessageIdAdv publishAndAcknowledge(PulsarClient client, Consumer<byte[]> consumer)
            throws PulsarClientException {
        try (Producer<byte[]> producer =
                client.newProducer().topic("last").enableBatching(false).create()) {
            MessageId id = producer.send(new byte[1]);
            consumer.acknowledge(consumer.receive(30, TimeUnit.SECONDS));
            return (MessageIdAdv) id;
        }
    }

    private static MessageIdAdv last(Consumer<byte[]> consumer) throws PulsarClientException {
        return (MessageIdAdv) consumer.getLastMessageIds().get(0);
    }

    private static Consumer<byte[]> consumer(PulsarClient client) throws PulsarClientException {
        return client.newConsumer()
                .topic("last")
                .subscriptionName("reads")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .isAckReceiptEnabled(true)
                .subscribe();
    }

    private Broker start() throws Exception {
        return Broker.start(BrokerConfig.defaults(folder).withPort(0));
    }
}
