package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/** What most scenarios of messages do: texts {@code m0}, {@code m1} and so on are published one by one and received. */
final class Messages {
    private static final int PATIENCE_SECONDS = 15;
    private static final int QUIET_MILLIS = 400;

    private Messages() {}

    /** A producer of texts without batches, closed at the end of the scenario. */
    static Producer<String> producer(Context context, String topic) throws Exception {
        return context.closing(context.client()
                .newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .create());
    }

    /** A message of a batch: the flush behind it fails if it was not stored. */
    static void flushedLater(CompletableFuture<MessageId> sent) {}

    /** Publishes so many texts and returns their ids. */
    static List<MessageId> publish(Context context, String topic, int count) throws Exception {
        return publish(producer(context, topic), 0, count);
    }

    static List<MessageId> publish(Producer<String> producer, int from, int count) throws Exception {
        List<MessageId> ids = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            ids.add(producer.send("m" + i));
        }
        return ids;
    }

    /** A consumer to be made of a topic, of the subscription {@code s} from the earliest message. */
    static ConsumerBuilder<String> consumer(Context context, String topic, SubscriptionType type) {
        return context.client()
                .newConsumer(Schema.STRING)
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(type)
                .isAckReceiptEnabled(true)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
    }

    /** Subscribes; the consumer is closed at the end of the scenario. */
    static Consumer<String> subscribe(Context context, String topic, SubscriptionType type) throws Exception {
        return context.closing(consumer(context, topic, type).subscribe());
    }

    /** The next so many messages; fewer if one does not come within fifteen seconds. */
    static List<Message<String>> receive(Consumer<String> consumer, int count) throws Exception {
        return receive(consumer, count, PATIENCE_SECONDS);
    }

    /** The same within so many seconds for each. */
    static List<Message<String>> receive(Consumer<String> consumer, int count, int seconds) throws Exception {
        List<Message<String>> messages = new ArrayList<>();
        while (messages.size() < count) {
            Message<String> message = consumer.receive(seconds, TimeUnit.SECONDS);
            if (message == null) {
                break;
            }
            messages.add(message);
        }
        return messages;
    }

    /** The same, acknowledged, as texts. */
    static List<String> take(Consumer<String> consumer, int count) throws Exception {
        List<Message<String>> messages = receive(consumer, count);
        for (Message<String> message : messages) {
            consumer.acknowledge(message);
        }
        return texts(messages);
    }

    static List<String> texts(List<Message<String>> messages) {
        return messages.stream().map(Message::getValue).toList();
    }

    /** With how often each has been delivered before, {@code m0x1}. */
    static List<String> counted(List<Message<String>> messages) {
        return messages.stream()
                .map(message -> message.getValue() + "x" + message.getRedeliveryCount())
                .toList();
    }

    /** What comes within a moment, though nothing should. */
    static List<String> rest(Consumer<String> consumer) throws Exception {
        List<String> texts = new ArrayList<>();
        Message<String> message = consumer.receive(QUIET_MILLIS, TimeUnit.MILLISECONDS);
        while (message != null) {
            texts.add(message.getValue());
            message = consumer.receive(QUIET_MILLIS, TimeUnit.MILLISECONDS);
        }
        return texts;
    }

    /** What the subscription of the scenarios has left to receive. */
    static long backlog(Context context, String topic) throws Exception {
        return context.admin().topics().getStats(topic, true).getSubscriptions().values().stream()
                .mapToLong(SubscriptionStats::getMsgBacklog)
                .sum();
    }

    /** What a reader has until it says that there is no more. */
    static List<String> read(Reader<String> reader) throws Exception {
        List<String> texts = new ArrayList<>();
        while (reader.hasMessageAvailable()) {
            Message<String> message = reader.readNext(PATIENCE_SECONDS, TimeUnit.SECONDS);
            texts.add(message == null ? "nothing came" : message.getValue());
            if (message == null) {
                break;
            }
        }
        return texts;
    }
}
