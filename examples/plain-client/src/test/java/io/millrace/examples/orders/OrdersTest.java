package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.Lifetime;
import io.millrace.junit.Millrace;
import io.millrace.junit.WhenLeftOpen;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.Test;

// snippet: plain
@Millrace(lifetime = Lifetime.CLASS, whenLeftOpen = WhenLeftOpen.FAIL)
class OrdersTest {
    @Test
    void anOrderBecomesAMeal(PulsarClient client) throws Exception {
        try (Kitchen kitchen = new Kitchen(client);
                Orders orders = new Orders(client);
                Consumer<String> guest = subscribe(client, Schema.STRING, "meals")) {
            orders.place(new Order("Ada", "soup"));
            assertThat(guest.receive(20, TimeUnit.SECONDS).getValue()).isEqualTo("soup for Ada");
        }
    }

    @Test
    void anOrderThatCannotBeCookedIsReturned(PulsarClient client) throws Exception {
        try (Kitchen kitchen = new Kitchen(client);
                Orders orders = new Orders(client);
                Consumer<Order> waiter = subscribe(client, Schema.JSON(Order.class), "returned")) {
            orders.place(new Order("Grace", ""));
            assertThat(waiter.receive(20, TimeUnit.SECONDS).getValue()).isEqualTo(new Order("Grace", ""));
        }
    }

    private static <T> Consumer<T> subscribe(PulsarClient client, Schema<T> schema, String topic)
            throws PulsarClientException {
        return client.newConsumer(schema)
                .topic(topic)
                .subscriptionName("test")
                .subscribe();
    }
}
// end
