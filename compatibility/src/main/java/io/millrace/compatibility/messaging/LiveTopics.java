package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** Topics that store nothing. */
public final class LiveTopics {
    private LiveTopics() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (SubscriptionType type : SubscriptionType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".receives", context -> receives(context, type))
                    .add(name + ".second-consumer", context -> second(context, type))
                    .add(name + ".negative", context -> negative(context, type))
                    .add(name + ".keeps-nothing", context -> keepsNothing(context, type));
        }
        scenarios
                .add("id", LiveTopics::id)
                .add("seek", LiveTopics::seek)
                .add("reader", LiveTopics::reader)
                .add("partitioned", LiveTopics::partitioned)
                .add("goes-when-nobody-uses-it", LiveTopics::goes);
    }

    private static void receives(Context context, SubscriptionType type) throws Exception {
        String topic = context.liveTopic("t");
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        Messages.publish(context, topic, 10);
        context.say("received", Messages.take(consumer, 10));
    }

    private static void second(Context context, SubscriptionType type) throws Exception {
        String topic = context.liveTopic("t");
        Consumer<String> first = Messages.subscribe(context, topic, type);
        context.call("second", () -> Messages.subscribe(context, topic, type).isConnected());
        context.say("first is connected", first.isConnected());
    }

    private static void negative(Context context, SubscriptionType type) throws Exception {
        String topic = context.liveTopic("t");
        Consumer<String> consumer = context.closing(Messages.consumer(context, topic, type)
                .negativeAckRedeliveryDelay(50, TimeUnit.MILLISECONDS)
                .subscribe());
        Messages.publish(context, topic, 1);
        for (Message<String> message : Messages.receive(consumer, 1)) {
            context.run("negative", () -> consumer.negativeAcknowledge(message));
        }
        context.say("again", Messages.rest(consumer));
        Messages.publish(Messages.producer(context, topic), 1, 1);
        context.say("next", Messages.rest(consumer));
    }

    private static void keepsNothing(Context context, SubscriptionType type) throws Exception {
        String topic = context.liveTopic("t");
        Producer<String> producer = Messages.producer(context, topic);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            Messages.publish(producer, 0, 1);
            context.say("first", Messages.take(consumer, 1));
        }
        Messages.publish(producer, 1, 2);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        Messages.publish(producer, 3, 1);
        context.say("then", Messages.rest(consumer));
    }

    private static void id(Context context) throws Exception {
        String topic = context.liveTopic("t");
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.say("of the producer", Messages.publish(context, topic, 1));
        context.say("of the consumer", Messages.receive(consumer, 1).get(0).getMessageId());
    }

    private static void seek(Context context) throws Exception {
        Consumer<String> consumer = Messages.subscribe(context, context.liveTopic("t"), SubscriptionType.Exclusive);
        context.run("seek", () -> consumer.seek(MessageId.earliest));
        context.call("last", () -> consumer.getLastMessageIds().size());
    }

    private static void reader(Context context) throws Exception {
        String topic = context.liveTopic("t");
        context.call("read", () -> {
            var reader = context.closing(context.client()
                    .newReader(Schema.STRING)
                    .topic(topic)
                    .startMessageId(MessageId.latest)
                    .create());
            Messages.publish(context, topic, 1);
            Message<String> message = reader.readNext(3, TimeUnit.SECONDS);
            return message == null ? "nothing" : message.getValue();
        });
    }

    private static void partitioned(Context context) throws Exception {
        String topic = context.liveTopic("p");
        context.admin().topics().createPartitionedTopic(topic, 3);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Shared);
        Messages.publish(context, topic, 9);
        context.say("all", Messages.take(consumer, 9).size());
    }

    private static void goes(Context context) throws Exception {
        String topic = context.liveTopic("t");
        try (Producer<String> producer = Messages.producer(context, topic)) {
            producer.send("a");
            context.say("topics", context.admin().topics().getList(context.namespace()));
        }
    }
}
