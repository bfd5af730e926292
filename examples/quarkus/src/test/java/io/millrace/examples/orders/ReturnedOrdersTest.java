package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.MillraceService;
import io.millrace.quarkus.WithMillrace;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Another class of tests with the same application, which has the same broker. */
@QuarkusTest
@WithMillrace
class ReturnedOrdersTest {
    @Inject
    Orders orders;

    @ConfigProperty(name = "pulsar.client.serviceUrl")
    String serviceUrl;

    MillraceService millrace;

    @Test
    void anOrderThatCannotBeCookedIsReturned() throws Exception {
        assertThat(millrace.serviceUrl()).isEqualTo(serviceUrl);
        try (PulsarClient client =
                        PulsarClient.builder().serviceUrl(serviceUrl).build();
                Consumer<Order> waiter = client.newConsumer(Schema.JSON(Order.class))
                        .topic("returned")
                        .subscriptionName("waiter")
                        .subscribe()) {
            orders.place(new Order("Grace", ""));
            assertThat(waiter.receive(20, TimeUnit.SECONDS).getValue()).isEqualTo(new Order("Grace", ""));
        }
    }
}
