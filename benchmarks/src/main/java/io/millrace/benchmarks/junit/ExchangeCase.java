package io.millrace.benchmarks.junit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.junit.Millrace;
import io.millrace.junit.MillraceService;
import io.millrace.junit.WhenLeftOpen;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;

/** The same with a message that goes to the broker and comes back, by the injected client. */
@Millrace(whenLeftOpen = WhenLeftOpen.FAIL, unacked = true)
class ExchangeCase {
    @Test
    void test(PulsarClient client, MillraceService service) throws Exception {
        String topic = service.topic("greetings");
        try (Consumer<byte[]> consumer =
                        client.newConsumer().topic(topic).subscriptionName("me").subscribe();
                Producer<byte[]> producer = client.newProducer().topic(topic).create()) {
            producer.send("hello".getBytes(UTF_8));
            Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
            if (!new String(message.getData(), UTF_8).equals("hello")) {
                throw new AssertionError("another message came: " + message);
            }
            consumer.acknowledge(message);
        }
    }
}
