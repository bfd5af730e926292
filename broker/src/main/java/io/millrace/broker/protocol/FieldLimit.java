package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.KeySharedOptions;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.SubscribeRequest;
import io.millrace.broker.topic.TopicName;

/**
 * The most that a repeated or sized field of a command may hold, for every such field that a client can send; what a whole
 * frame may hold is {@code max-message-bytes}. {@link CommandLimits} applies it to commands, {@link PublishedMessage} to
 * what follows a SEND.
 */
enum FieldLimit {
    /** A topic's name in any of its forms. */
    TOPIC("topic", TopicName.MAX_TEXT_CHARS, "characters", ErrorKind.INVALID_TOPIC_NAME),
    /** A tenant and what stands behind the slash. */
    NAMESPACE("namespace", TopicName.MAX_TEXT_CHARS, "characters", ErrorKind.INVALID_TOPIC_NAME),
    TOPICS_PATTERN("topics pattern", 1_024, "characters"),
    SUBSCRIPTION("subscription", SubscribeRequest.MAX_NAME_CHARS, "characters"),
    PRODUCER_NAME("producer name", 1_024, "bytes"),
    CONSUMER_NAME("consumer name", 1_024, "characters"),
    /** Versions, principals, names of methods and listeners. */
    TEXT("text", 1_024, "characters"),
    /** The data that prove a client's identity. */
    CREDENTIALS("credentials", 64 << 10, "bytes"),
    /** Of a producer, a consumer, a subscription, a schema, a lookup or an ack. */
    PROPERTY_COUNT("properties", NewSubscription.MAX_PROPERTIES, "entries"),
    /** Keys and values of them together. */
    PROPERTY_CHARS("properties", NewSubscription.MAX_PROPERTY_CHARS, "characters"),
    SCHEMA_DATA("schema", 1 << 20, "bytes"),
    /** The ranges of one consumer do not overlap, so there cannot be more of them than hashes. */
    KEY_RANGES("hash ranges", KeySharedOptions.MAX_RANGES, "entries", ErrorKind.CONSUMER_ASSIGN),
    /** The default limit on a subscription's unacknowledged messages. */
    MESSAGE_IDS("message ids", 200_000, "entries"),
    /** Of one producer's batch, which is one entry of the log. */
    BATCH_MESSAGES("num_messages_in_batch", 131_072, "messages"),
    /** One bit for each message of a batch. The dispatcher knows the batch and checks its exact length. */
    ACK_SET("ack set", 131_072 / Long.SIZE, "words"),
    /** The data before the payload of an entry: names, keys and properties of its messages. */
    MESSAGE_METADATA("message metadata", 1 << 20, "bytes");

    private final String field;
    private final int max;
    private final String unit;
    private final ErrorKind kind;

    FieldLimit(String field, int max, String unit) {
        this(field, max, unit, ErrorKind.NOT_ALLOWED);
    }

    FieldLimit(String field, int max, String unit, ErrorKind kind) {
        this.field = field;
        this.max = max;
        this.unit = unit;
        this.kind = kind;
    }

    int max() {
        return max;
    }

    /**
     * Does nothing within the limit.
     *
     * @throws BrokerException beyond it, naming the field, its size and the limit
     */
    void check(long size) {
        if (size > max) {
            throw new BrokerException(kind, field + " of " + size + " " + unit + ": at most " + max + " are allowed");
        }
    }
}
