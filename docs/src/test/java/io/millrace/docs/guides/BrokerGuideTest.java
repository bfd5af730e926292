package io.millrace.docs.guides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import io.millrace.streams.inspect.IslandSnapshot;
import io.millrace.streams.inspect.StageSnapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/guides/broker.md and of the README's broker examples. */
class BrokerGuideTest {
    @TempDir
    Path folder;

    @Test
    void aBrokerRunsInsideYourProcess() throws Exception {
        // snippet: embed
        BrokerConfig config = BrokerConfig.defaults(folder).withPort(0); // 0 takes a free port
        try (Broker broker = Broker.start(config);
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                Producer<byte[]> producer =
                        client.newProducer().topic("greetings").create()) {
            MessageId receipt = producer.send("hello".getBytes(UTF_8)); // returns once it is on the disk
            assertThat(receipt).isNotNull();
        }
        // end
    }

    @Test
    void anUnmodifiedClientSubscribesAndAcknowledges() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0))) {
            String url = broker.serviceUrl();
            String text = "";
            // snippet: client
            try (PulsarClient client = PulsarClient.builder().serviceUrl(url).build(); // pulsar://127.0.0.1:6650
                    Producer<byte[]> producer =
                            client.newProducer().topic("greetings").create();
                    Consumer<byte[]> consumer = client.newConsumer()
                            .topic("greetings")
                            .subscriptionName("me")
                            .subscriptionType(SubscriptionType.Shared)
                            .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                            .subscribe()) {
                producer.send("hello".getBytes(UTF_8));
                Message<byte[]> message = consumer.receive(10, TimeUnit.SECONDS);
                text = new String(message.getData(), UTF_8);
                consumer.acknowledge(message);
            }
            // end
            assertThat(text).isEqualTo("hello");
        }
    }

    @Test
    void aProgramMakesTheNamesItNeeds() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0))) {
            // snippet: namespaces
            broker.createNamespace("acme/dev"); // with its tenant; does nothing if both are there
            Namespaces names = broker.namespaces();
            TopicName orders = TopicName.parse("acme/dev/orders");
            names.createPartitionedTopic(orders, 4, Map.of())
                    .toCompletableFuture()
                    .join();
            names.growPartitionedTopic(orders, 8).toCompletableFuture().join(); // connected clients find the new ones
            // end
            assertThat(names.partitionsOf(orders, false).toCompletableFuture().join())
                    .isEqualTo(8);
        }
    }

    @Test
    void aReaderReadsATopicFromAnyPlaceWithoutASubscription() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                Producer<byte[]> producer = client.newProducer().topic("log").create()) {
            producer.send("one".getBytes(UTF_8));
            producer.send("two".getBytes(UTF_8));
            StringBuilder found = new StringBuilder();
            // snippet: reader
            try (Reader<byte[]> reader = client.newReader()
                    .topic("log")
                    .startMessageId(MessageId.earliest)
                    .create()) {
                while (reader.hasMessageAvailable()) {
                    found.append(new String(reader.readNext().getData(), UTF_8)).append(' ');
                }
            }
            // end
            assertThat(found).hasToString("one two ");
        }
    }

    @Test
    void aTopicIsAStreamGraphThatYouCanLookInto() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                Producer<byte[]> producer = client.newProducer().topic("seen").create();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("seen")
                        .subscriptionName("watchers")
                        .subscribe()) {
            assertThat(producer.isConnected() && consumer.isConnected()).isTrue();
            // snippet: snapshot
            List<String> stages = broker.snapshot().streams().stream()
                    .flatMap(stream -> stream.islands().stream())
                    .map(IslandSnapshot::stages)
                    .flatMap(List::stream)
                    .map(StageSnapshot::name)
                    .toList();
            // end
            assertThat(stages).anyMatch(name -> name.contains("append"));
            assertThat(stages).anyMatch(name -> name.contains("dispatcher:watchers"));
        }
    }
}
