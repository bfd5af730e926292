package io.millrace.examples.orders;

import org.apache.pulsar.client.api.PulsarClient;

/** Takes an order from the command line, and has it cooked. */
public final class OrdersApplication {
    private OrdersApplication() {}

    public static void main(String[] arguments) throws Exception {
        try (PulsarClient client = PulsarClient.builder()
                        .serviceUrl("pulsar://localhost:6650")
                        .build();
                Kitchen kitchen = new Kitchen(client);
                Orders orders = new Orders(client)) {
            orders.place(new Order(arguments[0], arguments[1]));
        }
    }
}
