package io.millrace.compatibility.scenario;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.jspecify.annotations.Nullable;

/** Publishing and reading texts, where that is not what a scenario is about. */
public final class Messages {
    private static final int PATIENCE_SECONDS = 20;
    private static final String NOTHING = "nothing";

    private Messages() {}

    /** Publishes texts, one entry each, and returns their ids. */
    public static List<MessageId> publish(Context context, String topic, String... texts) throws PulsarClientException {
        List<MessageId> ids = new ArrayList<>();
        try (Producer<byte[]> producer = context.client()
                .newProducer()
                .topic(topic)
                .enableBatching(false)
                .create()) {
            for (String text : texts) {
                ids.add(producer.newMessage()
                        .key("key-" + text)
                        .property("text", text)
                        .value(text.getBytes(StandardCharsets.UTF_8))
                        .send());
            }
        }
        return ids;
    }

    /** Takes the next messages and acknowledges each; {@code nothing} stands for one that does not come within twenty seconds. */
    public static List<String> take(Consumer<byte[]> consumer, int count) throws PulsarClientException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message<byte[]> message = consumer.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
            texts.add(text(message));
            if (message != null) {
                consumer.acknowledge(message);
            }
        }
        return texts;
    }

    /** Receives messages, without acknowledging them, until these have come, or none comes for twenty seconds; returns which came. */
    public static Set<String> receiveAll(Consumer<byte[]> consumer, Set<String> wanted) throws PulsarClientException {
        Set<String> texts = new TreeSet<>();
        while (!texts.containsAll(wanted) && !texts.contains(NOTHING)) {
            texts.add(text(consumer.receive(PATIENCE_SECONDS, TimeUnit.SECONDS)));
        }
        return texts;
    }

    /** The text of a message; {@code nothing} if there is none. */
    public static String text(@Nullable Message<byte[]> message) {
        return message == null ? NOTHING : new String(message.getData(), StandardCharsets.UTF_8);
    }
}
