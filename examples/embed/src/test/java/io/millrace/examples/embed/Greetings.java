package io.millrace.examples.embed;

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
import org.apache.pulsar.client.api.SubscriptionType;

/** A program with a broker in its own process and the ordinary client: it sends ten greetings and gets them. */
final class Greetings {
    private static final int COUNT = 10;
    private static final int WAIT_SECONDS = 20;

    private Greetings() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println(exchange(Path.of(arguments[0])));
    }

    /** What arrived, in alphabetical order. */
    static NavigableSet<String> exchange(Path folder) throws Exception {
        BrokerConfig config = BrokerConfig.defaults(folder).withPort(0);
        try (Broker broker = Broker.start(config);
                PulsarClient client =
                        PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("greetings")
                        .subscriptionName("readers")
                        .subscriptionType(SubscriptionType.Key_Shared)
                        .subscribe();
                Producer<byte[]> producer =
                        client.newProducer().topic("greetings").create()) {
            for (int i = 0; i < COUNT; i++) {
                var unused =
                        producer.newMessage().key("to " + i % 3).value(text(i)).sendAsync();
            }
            producer.flush();
            return received(consumer);
        }
    }

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
