package io.millrace.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/** A program with a broker in its own process and the ordinary client: it sends ten greetings and gets them. */
public final class Greetings {
    private static final int COUNT = 10;
    private static final int WAIT_SECONDS = 60;

    private Greetings() {}

    /** The broker's folder, and when the program was started: milliseconds since 1970. */
    public static void main(String[] arguments) throws Exception {
        long startedMillis = Long.parseLong(arguments[1]);
        BrokerConfig config = BrokerConfig.defaults(Path.of(arguments[0])).withPort(0);
        try (Broker broker = Broker.start(config)) {
            PulsarClient client =
                    PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
            try (Producer<byte[]> producer =
                    client.newProducer().topic("greetings").create()) {
                producer.newMessage().key("to 0").value(text(0)).send();
                System.out.println("first receipt after ms: " + (System.currentTimeMillis() - startedMillis));
                System.out.println("received: " + exchange(client, producer));
            } finally {
                client.closeAsync();
            }
        }
        System.out.println("the broker's module: " + Broker.class.getModule());
        System.out.println("the client's module: " + PulsarClient.class.getModule());
        // The client's threads would take two seconds to end.
        System.exit(0);
    }

    private static NavigableSet<String> exchange(PulsarClient client, Producer<byte[]> producer)
            throws PulsarClientException {
        try (Consumer<byte[]> consumer = client.newConsumer()
                .topic("greetings")
                .subscriptionName("readers")
                .subscriptionType(SubscriptionType.Key_Shared)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe()) {
            for (int i = 1; i < COUNT; i++) {
                producer.newMessage().key("to " + i % 3).value(text(i)).sendAsync();
            }
            producer.flush();
            return received(consumer);
        }
    }

    /** What arrived, in alphabetical order. */
    private static NavigableSet<String> received(Consumer<byte[]> consumer) throws PulsarClientException {
        NavigableSet<String> texts = new TreeSet<>();
        while (texts.size() < COUNT) {
            Message<byte[]> message = consumer.receive(WAIT_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new IllegalStateException("nothing more came after " + texts);
            }
            texts.add(new String(message.getData(), UTF_8));
            consumer.acknowledge(message);
        }
        return texts;
    }

    private static byte[] text(int number) {
        return ("hello " + number).getBytes(UTF_8);
    }
}
