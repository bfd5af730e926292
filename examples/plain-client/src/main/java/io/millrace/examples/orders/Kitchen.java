package io.millrace.examples.orders;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.DeadLetterPolicy;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** Cooks each order; what it cannot cook goes to a topic of its own. */
public final class Kitchen implements AutoCloseable {
    private final Producer<String> meals;
    private final Consumer<Order> orders;

    public Kitchen(PulsarClient client) throws PulsarClientException {
        meals = client.newProducer(Schema.STRING).topic("meals").create();
        orders = client.newConsumer(Schema.JSON(Order.class))
                .topic("orders")
                .subscriptionName("kitchen")
                .subscriptionType(SubscriptionType.Shared)
                .negativeAckRedeliveryDelay(100, TimeUnit.MILLISECONDS)
                .deadLetterPolicy(DeadLetterPolicy.builder()
                        .maxRedeliverCount(1)
                        .deadLetterTopic("returned")
                        .build())
                .messageListener(this::cook)
                .subscribe();
    }

    private void cook(Consumer<Order> consumer, Message<Order> message) {
        Order order = message.getValue();
        if (order.dish().isBlank()) {
            consumer.negativeAcknowledge(message);
            return;
        }
        meals.sendAsync(order.dish() + " for " + order.guest())
                .thenCompose(sent -> consumer.acknowledgeAsync(message))
                .exceptionally(failure -> {
                    consumer.negativeAcknowledge(message);
                    return null;
                });
    }

    @Override
    public void close() throws PulsarClientException {
        orders.close();
        meals.close();
    }
}
