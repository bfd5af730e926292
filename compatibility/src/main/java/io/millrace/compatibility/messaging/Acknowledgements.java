package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.DeadLetterPolicy;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** What is acknowledged, what comes again, how often, and where it ends. */
public final class Acknowledgements {
    private Acknowledgements() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (SubscriptionType type : SubscriptionType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".out-of-order", context -> outOfOrder(context, type))
                    .add(name + ".cumulative", context -> cumulative(context, type))
                    .add(name + ".negative", context -> negative(context, type))
                    .add(name + ".redeliver-all", context -> redeliverAll(context, type))
                    .add(name + ".ack-timeout", context -> ackTimeout(context, type))
                    .add(name + ".batch-index", context -> batchIndex(context, type, true))
                    .add(name + ".batch-without-index", context -> batchIndex(context, type, false))
                    .add(name + ".twice", context -> twice(context, type))
                    .add(name + ".unknown-id", context -> unknownId(context, type))
                    .add(name + ".list-of-ids", context -> listOfIds(context, type))
                    .add(name + ".whole-batch", context -> wholeBatch(context, type));
        }
        for (SubscriptionType type : List.of(SubscriptionType.Shared, SubscriptionType.Key_Shared)) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".dead-letter", context -> deadLetter(context, type))
                    .add(name + ".dead-letter-named", context -> deadLetterNamed(context, type))
                    .add(name + ".retry", context -> retry(context, type))
                    .add(name + ".retry-ends-in-dead-letter", context -> retryEnds(context, type))
                    .add(name + ".negative-counts", context -> negativeCounts(context, type));
        }
        scenarios.add("exclusive.retry-properties", Acknowledgements::retryProperties);
    }

    private static void outOfOrder(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 5);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 5);
            consumer.acknowledge(all.get(3));
            consumer.acknowledge(all.get(1).getMessageId());
        }
        context.say("left", Messages.take(Messages.subscribe(context, topic, type), 3));
        context.say("backlog", Messages.backlog(context, topic));
    }

    private static void cumulative(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 5);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 5);
            context.run("cumulative", () -> consumer.acknowledgeCumulative(all.get(2)));
        }
        Consumer<String> next = Messages.subscribe(context, topic, type);
        context.say("first left", Messages.texts(Messages.receive(next, 1)));
    }

    private static void negative(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .negativeAckRedeliveryDelay(100, TimeUnit.MILLISECONDS)
                .subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 3);
            consumer.acknowledge(all.get(0));
            consumer.negativeAcknowledge(all.get(1));
            consumer.acknowledge(all.get(2));
            context.say("again", Messages.counted(Messages.receive(consumer, 1)));
        }
    }

    private static void redeliverAll(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 3);
            consumer.acknowledge(all.get(0));
            consumer.redeliverUnacknowledgedMessages();
            context.say("again", Messages.counted(Messages.receive(consumer, 2)));
            context.say("more", Messages.rest(consumer));
        }
    }

    private static void ackTimeout(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 2);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .ackTimeout(1, TimeUnit.SECONDS)
                .ackTimeoutTickTime(100, TimeUnit.MILLISECONDS)
                .subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 2);
            consumer.acknowledge(all.get(0));
            context.say("again", Messages.texts(Messages.receive(consumer, 1)));
        }
    }

    private static void batchIndex(Context context, SubscriptionType type, boolean byIndex) throws Exception {
        String topic = context.topic("t");
        publishBatch(context, topic, 4);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .enableBatchIndexAcknowledgment(byIndex)
                .subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 4);
            consumer.acknowledge(all.get(1));
            consumer.acknowledge(all.get(2));
        }
        context.say(
                "left",
                Messages.texts(Messages.receive(
                        context.closing(Messages.consumer(context, topic, type)
                                .enableBatchIndexAcknowledgment(byIndex)
                                .subscribe()),
                        2)));
    }

    /** One batch of so many texts. */
    static void publishBatch(Context context, String topic, int count) throws Exception {
        try (Producer<String> producer = context.client()
                .newProducer(Schema.STRING)
                .topic(topic)
                .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                .create()) {
            for (int i = 0; i < count; i++) {
                Messages.flushedLater(producer.sendAsync("m" + i));
            }
            producer.flush();
        }
    }

    private static void twice(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            Message<String> message = Messages.receive(consumer, 1).get(0);
            context.run("once", () -> consumer.acknowledge(message));
            context.run("twice", () -> consumer.acknowledge(message));
            context.run("then negative", () -> consumer.negativeAcknowledge(message));
            context.say("more", Messages.rest(consumer));
        }
    }

    private static void unknownId(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        List<MessageId> ids = Messages.publish(context, topic, 2);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            context.run("not received yet", () -> consumer.acknowledge(ids.get(1)));
            context.run("earliest", () -> consumer.acknowledge(MessageId.earliest));
            context.say("received", Messages.texts(Messages.receive(consumer, 1)));
        }
    }

    private static void listOfIds(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 4);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            List<MessageId> ids = new ArrayList<>();
            Messages.receive(consumer, 4).subList(0, 3).forEach(message -> ids.add(message.getMessageId()));
            context.run("acknowledge", () -> consumer.acknowledge(ids));
        }
        context.say("left", Messages.take(Messages.subscribe(context, topic, type), 1));
    }

    private static void wholeBatch(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        publishBatch(context, topic, 3);
        publishBatch(context, topic, 2);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            List<Message<String>> all = Messages.receive(consumer, 5);
            context.say("ids", all.stream().map(Message::getMessageId).toList());
            for (Message<String> message : all.subList(0, 3)) {
                consumer.acknowledge(message);
            }
        }
        context.say("left", Messages.texts(Messages.receive(Messages.subscribe(context, topic, type), 2)));
    }

    private static void deadLetter(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        letterOfDeath(context, topic, type, DeadLetterPolicy.builder().maxRedeliverCount(2), topic + "-s-DLQ");
    }

    private static void deadLetterNamed(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        letterOfDeath(
                context,
                topic,
                type,
                DeadLetterPolicy.builder()
                        .maxRedeliverCount(1)
                        .deadLetterTopic(context.topic("dead"))
                        .initialSubscriptionName("undertaker"),
                context.topic("dead"));
    }

    private static void letterOfDeath(
            Context context,
            String topic,
            SubscriptionType type,
            DeadLetterPolicy.DeadLetterPolicyBuilder policy,
            String dead)
            throws Exception {
        Messages.publish(context, topic, 2);
        Consumer<String> letters = Messages.subscribe(context, dead, SubscriptionType.Exclusive);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .negativeAckRedeliveryDelay(50, TimeUnit.MILLISECONDS)
                .deadLetterPolicy(policy.build())
                .subscribe()) {
            List<String> delivered = new ArrayList<>();
            Message<String> message = consumer.receive(3, TimeUnit.SECONDS);
            while (message != null) {
                delivered.add(message.getValue() + "x" + message.getRedeliveryCount());
                consumer.negativeAcknowledge(message);
                message = consumer.receive(2, TimeUnit.SECONDS);
            }
            delivered.sort(null);
            context.say("delivered", delivered);
        }
        List<Message<String>> ended = Messages.receive(letters, 2);
        context.say("dead", ended.stream().map(Message::getValue).sorted().toList());
        context.say("properties", ended.get(0).getProperties().keySet());
        context.say("subscriptions", context.admin().topics().getSubscriptions(dead));
    }

    private static void retry(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        try (Consumer<String> consumer =
                Messages.consumer(context, topic, type).enableRetry(true).subscribe()) {
            Message<String> message = Messages.receive(consumer, 1).get(0);
            consumer.reconsumeLater(message, 100, TimeUnit.MILLISECONDS);
            Message<String> again = Messages.receive(consumer, 1).get(0);
            context.say("again", again.getValue());
            context.say("times", again.getProperty("RECONSUMETIMES"));
            context.say("from", again.getProperty("REAL_TOPIC"));
            context.say("topic", again.getTopicName());
            consumer.acknowledge(again);
        }
    }

    private static void retryEnds(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        Consumer<String> letters = Messages.subscribe(context, topic + "-s-DLQ", SubscriptionType.Exclusive);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .enableRetry(true)
                .deadLetterPolicy(
                        DeadLetterPolicy.builder().maxRedeliverCount(2).build())
                .subscribe()) {
            for (int i = 0; i < 3; i++) {
                Message<String> message = Messages.receive(consumer, 1).get(0);
                context.say("received", message.getValue() + " " + message.getProperty("RECONSUMETIMES"));
                consumer.reconsumeLater(message, 50, TimeUnit.MILLISECONDS);
            }
        }
        context.say("dead", Messages.texts(Messages.receive(letters, 1)));
    }

    private static void negativeCounts(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .negativeAckRedeliveryDelay(50, TimeUnit.MILLISECONDS)
                .subscribe()) {
            for (int i = 0; i < 4; i++) {
                Message<String> message = Messages.receive(consumer, 1).get(0);
                context.say("count", message.getRedeliveryCount());
                consumer.negativeAcknowledge(message);
            }
        }
    }

    private static void retryProperties(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        try (Consumer<String> consumer = Messages.consumer(context, topic, SubscriptionType.Shared)
                .enableRetry(true)
                .subscribe()) {
            Message<String> message = Messages.receive(consumer, 1).get(0);
            consumer.reconsumeLater(message, java.util.Map.of("why", "busy"), 50, TimeUnit.MILLISECONDS);
            context.say(
                    "properties",
                    Messages.receive(consumer, 1).get(0).getProperties().keySet());
        }
        context.run("without retry", () -> {
            try (Consumer<String> consumer = Messages.consumer(context, context.topic("u"), SubscriptionType.Exclusive)
                    .subscribe()) {
                Messages.publish(context, context.topic("u"), 1);
                consumer.reconsumeLater(Messages.receive(consumer, 1).get(0), 1, TimeUnit.SECONDS);
            }
        });
    }
}
