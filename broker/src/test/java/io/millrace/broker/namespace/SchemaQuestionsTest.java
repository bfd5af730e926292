package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SchemaQuestionsTest {
    private static final int MESSAGES = 2_000;

    @TempDir
    Path folder;

    // The client's statistics, which need libraries that nothing else here does, have no other switch.
    @SuppressWarnings("deprecation")
    @Test
    @Behaviour("REG-11")
    void messagesAskNothingAboutSchemas() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client = PulsarClient.builder()
                        .serviceUrl(broker.serviceUrl())
                        .statsInterval(0, TimeUnit.SECONDS)
                        .build();
                Producer<String> producer =
                        client.newProducer(Schema.STRING).topic("x").create();
                Consumer<String> consumer = client.newConsumer(Schema.STRING)
                        .topic("x")
                        .subscriptionName("s")
                        .subscribe()) {
            long before = await(broker.namespaces().schemas().questions());
            assertThat(before).as("one of the producer, one of the consumer").isEqualTo(2);
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                sent.add(producer.sendAsync("message " + i));
            }
            for (int i = 0; i < MESSAGES; i++) {
                Message<String> message = consumer.receive(20, TimeUnit.SECONDS);
                assertThat(message.getSchemaVersion()).hasSize(Long.BYTES);
                consumer.acknowledge(message);
            }
            sent.forEach(CompletableFuture::join);
            assertThat(await(broker.namespaces().schemas().questions())).isEqualTo(before);
        }
    }
}
