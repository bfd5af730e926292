package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.inspect.ClientSnapshot.OpenProducer;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the broker tells about its clients' connections, producers, consumers and unacknowledged messages. */
@Timeout(60)
class OpenHandlesTest {
    private static final String ORDERS = "persistent://shop/tests/orders";

    @TempDir
    Path folder;

    @Test
    @Behaviour("PRO-15")
    void aClientIsToldWithItsProducersAndConsumersUntilItClosesThem() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0))) {
            broker.createNamespace("shop/tests");
            assertThat(clients(broker)).isEmpty();
            PulsarClient client = RealClient.of(broker).build();
            Producer<byte[]> producer =
                    client.newProducer().topic(ORDERS).producerName("till").create();
            Consumer<byte[]> consumer = client.newConsumer()
                    .topic(ORDERS)
                    .subscriptionName("kitchen")
                    .subscribe();

            ClientSnapshot open = clients(broker).get(0);
            assertThat(open.address()).startsWith("/127.0.0.1:");
            assertThat(open.version()).contains("Pulsar-Java");
            assertThat(open.producers()).containsExactly(new OpenProducer(ORDERS, "till"));
            assertThat(open.consumers()).singleElement().satisfies(told -> {
                assertThat(told.topic()).isEqualTo(ORDERS);
                assertThat(told.subscription()).isEqualTo("kitchen");
                assertThat(told.description()).contains(consumer.getConsumerName(), "kitchen", ORDERS);
            });

            producer.close();
            consumer.close();
            ClientSnapshot idle = clients(broker).get(0);
            assertThat(idle.producers()).isEmpty();
            assertThat(idle.consumers()).isEmpty();
            assertThat(idle.lastTopic()).isEqualTo(ORDERS);

            client.close();
            until(() -> clients(broker).isEmpty());
        }
    }

    @Test
    @Behaviour("PRO-15")
    void messagesThatWereSentAndNotAcknowledgedAreCountedAlsoWhenTheirConsumerHasLeft() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client = RealClient.of(broker).build()) {
            broker.createNamespace("shop/tests");
            Consumer<byte[]> consumer = client.newConsumer()
                    .topic(ORDERS)
                    .subscriptionName("kitchen")
                    .subscriptionType(SubscriptionType.Shared)
                    .subscribe();
            try (Producer<byte[]> producer =
                    client.newProducer().topic(ORDERS).enableBatching(false).create()) {
                producer.send(new byte[1]);
                producer.send(new byte[1]);
            }
            consumer.acknowledgeAsync(consumer.receive(10, TimeUnit.SECONDS)).get(10, TimeUnit.SECONDS);
            consumer.receive(10, TimeUnit.SECONDS);
            until(() -> unacked(broker).equals(List.of(new SubscriptionSnapshot(ORDERS, "kitchen", 1, 1))));

            consumer.close();
            until(() -> unacked(broker).equals(List.of(new SubscriptionSnapshot(ORDERS, "kitchen", 0, 1))));
            assertThat(await(broker.subscriptions("persistent://shop/others/"))).isEmpty();
        }
    }

    private static List<ClientSnapshot> clients(Broker broker) {
        return await(broker.clients());
    }

    private static List<SubscriptionSnapshot> unacked(Broker broker) {
        return await(broker.subscriptions("persistent://shop/tests/"));
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
