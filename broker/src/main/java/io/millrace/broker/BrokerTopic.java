package io.millrace.broker;

import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A topic of a broker in the same process, as the ends of streams. Immutable and thread-safe; the topic is made by the
 * first stream that runs, in a namespace that there is.
 */
public final class BrokerTopic {
    /** A source, or a publish, that holds so many bytes of messages takes no more. */
    static final int MAX_HELD_BYTES = 16 << 20;

    private final Namespaces namespaces;
    private final TopicName name;
    private final int maxEntryBytes;

    BrokerTopic(Namespaces namespaces, TopicName name, int maxEntryBytes) {
        this.namespaces = namespaces;
        this.name = name;
        this.maxEntryBytes = maxEntryBytes;
    }

    /** The full name. */
    public String name() {
        return name.full();
    }

    /**
     * The messages of a subscription, which is created if it does not exist. Each run of this source is one more
     * consumer of it, asks for no more messages than its stream takes, nor for more once it holds 16 MiB of them, and fails with a {@link
     * io.millrace.broker.dispatch.BrokerException} when the subscription refuses or ends it.
     */
    public Source<Delivery, NotUsed> source(String subscription, SourceOptions options) {
        StartAt start = options.fromEarliest() ? StartAt.EARLIEST : StartAt.LATEST;
        return Source.fromGraph(new DeliverySource(
                this, subscription, new NewSubscription(start, options.subscriptionProperties()), options));
    }

    /**
     * Publishes what the function makes of each element and passes the element on once the message is durable, in
     * order. It takes no more elements while it holds 1 000, or 16 MiB of messages. It fails when a message is refused, such as one that is larger than {@code max-message-bytes}.
     */
    public <T> Flow<T, T, NotUsed> publish(Function<? super T, Message> toMessage) {
        return Flow.fromGraph(new PublishFlow<T>(this, toMessage));
    }

    /** Publishes messages; its value completes when all are durable, and fails when one is refused. */
    public Sink<Message, CompletionStage<Done>> sink() {
        return this.<Message>publish(message -> message).toMat(Sink.ignore(), Keep.right());
    }

    /** The largest message, with what is said of it, that clients could publish and take. */
    int maxEntryBytes() {
        return maxEntryBytes;
    }

    CompletionStage<Topic> open() {
        return namespaces.open(name, true);
    }
}
