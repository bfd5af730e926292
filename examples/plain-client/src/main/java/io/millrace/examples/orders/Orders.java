package io.millrace.examples.orders;

import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;

/** Where orders go. */
public final class Orders implements AutoCloseable {
    private final Producer<Order> producer;

    public Orders(PulsarClient client) throws PulsarClientException {
        producer = client.newProducer(Schema.JSON(Order.class)).topic("orders").create();
    }

    public void place(Order order) throws PulsarClientException {
        producer.newMessage().key(order.guest()).value(order).send();
    }

    @Override
    public void close() throws PulsarClientException {
        producer.close();
    }
}
