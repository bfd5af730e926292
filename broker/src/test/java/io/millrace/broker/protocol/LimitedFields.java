package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandConnect;
import io.millrace.wire.CommandGetTopicsOfNamespace;
import io.millrace.wire.CommandLookupTopic;
import io.millrace.wire.CommandPartitionedTopicMetadata;
import io.millrace.wire.CommandProducer;
import io.millrace.wire.CommandRedeliverUnacknowledgedMessages;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandWatchTopicList;
import io.millrace.wire.KeySharedMeta;
import io.millrace.wire.KeySharedMode;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every limited field of every command, and how a client sends it with so and so much in it. */
record LimitedFields(FieldLimit limit, String field, Sending sending) {
    static final String TOPIC = "persistent://public/default/limits";

    /** Sends the command on a connection that has the open producer 1 and the open consumer 1, or is new for CONNECT. */
    @FunctionalInterface
    interface Sending {
        void send(RawClient client, int size) throws IOException;
    }

    boolean isConnect() {
        return field.startsWith("CONNECT");
    }

    @Override
    public String toString() {
        return field + ": " + limit;
    }

    static Stream<LimitedFields> all() {
        List<LimitedFields> rows = new ArrayList<>();
        ofProducer(rows);
        ofSubscribe(rows);
        ofDeliveries(rows);
        ofLookups(rows);
        ofTopicLists(rows);
        ofConnect(rows);
        ofMessages(rows);
        return rows.stream();
    }

    private static void ofProducer(List<LimitedFields> rows) {
        producer(rows, FieldLimit.TOPIC, "topic", (p, size) -> p.setTopic(topic(size)));
        producer(rows, FieldLimit.PRODUCER_NAME, "producer_name", (p, size) -> p.setProducerName(text(size)));
        producer(
                rows,
                FieldLimit.SUBSCRIPTION,
                "initial_subscription_name",
                (p, size) -> p.setInitialSubscriptionName(text(size)));
        producer(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "metadata",
                (p, size) ->
                        properties(size, (k, v) -> p.addMetadata().setKey(k).setValue(v)));
        producer(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "metadata",
                (p, size) -> p.addMetadata().setKey("k").setValue(text(size - 1)));
        producer(
                rows,
                FieldLimit.TEXT,
                "schema.name",
                (p, size) -> schema(p.setSchema()).setName(text(size)));
        producer(
                rows,
                FieldLimit.SCHEMA_DATA,
                "schema.schema_data",
                (p, size) -> schema(p.setSchema()).setSchemaData(new byte[size]));
        producer(rows, FieldLimit.PROPERTY_COUNT, "schema.properties", (p, size) -> {
            Schema schema = schema(p.setSchema());
            properties(size, (k, v) -> schema.addProperty().setKey(k).setValue(v));
        });
        producer(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "schema.properties",
                (p, size) -> schema(p.setSchema()).addProperty().setKey("k").setValue(text(size - 1)));
    }

    private static void ofSubscribe(List<LimitedFields> rows) {
        subscribe(rows, FieldLimit.TOPIC, "topic", (s, size) -> s.setTopic(topic(size)));
        subscribe(rows, FieldLimit.SUBSCRIPTION, "subscription", (s, size) -> s.setSubscription(text(size)));
        subscribe(rows, FieldLimit.CONSUMER_NAME, "consumer_name", (s, size) -> s.setConsumerName(text(size)));
        subscribe(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "metadata",
                (s, size) ->
                        properties(size, (k, v) -> s.addMetadata().setKey(k).setValue(v)));
        subscribe(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "metadata",
                (s, size) -> s.addMetadata().setKey("k").setValue(text(size - 1)));
        subscribe(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "subscription_properties",
                (s, size) -> properties(
                        size, (k, v) -> s.addSubscriptionProperty().setKey(k).setValue(v)));
        subscribe(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "subscription_properties",
                (s, size) -> s.addSubscriptionProperty().setKey("k").setValue(text(size - 1)));
        subscribe(rows, FieldLimit.KEY_RANGES, "keySharedMeta.hashRanges", (s, size) -> {
            KeySharedMeta meta =
                    s.setSubType(CommandSubscribe.SubType.Key_Shared).setKeySharedMeta();
            meta.setKeySharedMode(KeySharedMode.STICKY);
            IntStream.range(0, size)
                    .forEach(i -> meta.addHashRange().setStart(i).setEnd(i));
        });
        subscribe(
                rows, FieldLimit.ACK_SET, "start_message_id.ack_set", (s, size) -> words(s.setStartMessageId(), size));
        subscribe(
                rows,
                FieldLimit.SCHEMA_DATA,
                "schema.schema_data",
                (s, size) -> schema(s.setSchema()).setSchemaData(new byte[size]));
    }

    private static void ofDeliveries(List<LimitedFields> rows) {
        ack(
                rows,
                FieldLimit.MESSAGE_IDS,
                "message_id",
                (a, size) -> IntStream.range(0, size)
                        .forEach(i -> a.addMessageId().setLedgerId(i).setEntryId(i)));
        ack(rows, FieldLimit.ACK_SET, "message_id.ack_set", (a, size) -> words(a.addMessageId(), size));
        ack(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "properties",
                (a, size) ->
                        properties(size, (k, v) -> a.addProperty().setKey(k).setValue(1)));
        ack(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "properties",
                (a, size) -> a.addProperty().setKey(text(size)).setValue(1));
        redeliver(
                rows,
                FieldLimit.MESSAGE_IDS,
                "message_ids",
                (r, size) -> IntStream.range(0, size)
                        .forEach(i -> r.addMessageId().setLedgerId(i).setEntryId(i)));
        redeliver(rows, FieldLimit.ACK_SET, "message_ids.ack_set", (r, size) -> words(r.addMessageId(), size));
        rows.add(new LimitedFields(
                FieldLimit.ACK_SET,
                "SEEK.message_id.ack_set",
                (client, size) -> client.send(
                        BaseCommand.Type.SEEK,
                        c -> words(c.setSeek().setConsumerId(1).setRequestId(9).setMessageId(), size))));
    }

    private static void ofLookups(List<LimitedFields> rows) {
        lookup(rows, FieldLimit.TOPIC, "topic", (l, size) -> l.setTopic(topic(size)));
        lookup(rows, FieldLimit.TEXT, "original_principal", (l, size) -> l.setOriginalPrincipal(text(size)));
        lookup(rows, FieldLimit.CREDENTIALS, "original_auth_data", (l, size) -> l.setOriginalAuthData(text(size)));
        lookup(rows, FieldLimit.TEXT, "original_auth_method", (l, size) -> l.setOriginalAuthMethod(text(size)));
        lookup(rows, FieldLimit.TEXT, "advertised_listener_name", (l, size) -> l.setAdvertisedListenerName(text(size)));
        lookup(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "properties",
                (l, size) ->
                        properties(size, (k, v) -> l.addProperty().setKey(k).setValue(v)));
        lookup(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "properties",
                (l, size) -> l.addProperty().setKey("k").setValue(text(size - 1)));
        partitions(rows, FieldLimit.TOPIC, "topic", (p, size) -> p.setTopic(topic(size)));
        partitions(rows, FieldLimit.TEXT, "original_principal", (p, size) -> p.setOriginalPrincipal(text(size)));
        partitions(rows, FieldLimit.CREDENTIALS, "original_auth_data", (p, size) -> p.setOriginalAuthData(text(size)));
        partitions(rows, FieldLimit.TEXT, "original_auth_method", (p, size) -> p.setOriginalAuthMethod(text(size)));
        rows.add(new LimitedFields(
                FieldLimit.TOPIC,
                "GET_OR_CREATE_SCHEMA.topic",
                (client, size) -> client.send(
                        BaseCommand.Type.GET_OR_CREATE_SCHEMA,
                        c -> schema(c.setGetOrCreateSchema()
                                .setRequestId(9)
                                .setTopic(topic(size))
                                .setSchema()))));
        rows.add(new LimitedFields(
                FieldLimit.SCHEMA_DATA,
                "GET_OR_CREATE_SCHEMA.schema",
                (client, size) -> client.send(
                        BaseCommand.Type.GET_OR_CREATE_SCHEMA,
                        c -> schema(c.setGetOrCreateSchema()
                                        .setRequestId(9)
                                        .setTopic(TOPIC)
                                        .setSchema())
                                .setSchemaData(new byte[size]))));
    }

    private static void ofTopicLists(List<LimitedFields> rows) {
        list(rows, FieldLimit.NAMESPACE, "namespace", (l, size) -> l.setNamespace("public/" + text(size - 7)));
        list(rows, FieldLimit.TEXT, "topics_hash", (l, size) -> l.setTopicsHash(text(size)));
        list(
                rows,
                FieldLimit.PROPERTY_COUNT,
                "properties",
                (l, size) ->
                        properties(size, (k, v) -> l.addProperty().setKey(k).setValue(v)));
        list(
                rows,
                FieldLimit.PROPERTY_CHARS,
                "properties",
                (l, size) -> l.addProperty().setKey("k").setValue(text(size - 1)));
        watch(rows, FieldLimit.NAMESPACE, "namespace", (w, size) -> w.setNamespace("public/" + text(size - 7)));
        watch(rows, FieldLimit.TOPICS_PATTERN, "topics_pattern", (w, size) -> w.setTopicsPattern(text(size)));
        watch(rows, FieldLimit.TEXT, "topics_hash", (w, size) -> w.setTopicsHash(text(size)));
    }

    private static void ofConnect(List<LimitedFields> rows) {
        connect(rows, FieldLimit.TEXT, "client_version", (c, size) -> c.setClientVersion(text(size)));
        connect(rows, FieldLimit.TEXT, "auth_method_name", (c, size) -> c.setAuthMethodName(text(size)));
        connect(rows, FieldLimit.CREDENTIALS, "auth_data", (c, size) -> c.setAuthData(new byte[size]));
        connect(rows, FieldLimit.TEXT, "proxy_to_broker_url", (c, size) -> c.setProxyToBrokerUrl(text(size)));
        connect(rows, FieldLimit.TEXT, "proxy_version", (c, size) -> c.setProxyVersion(text(size)));
        connect(rows, FieldLimit.TEXT, "original_principal", (c, size) -> c.setOriginalPrincipal(text(size)));
        connect(rows, FieldLimit.CREDENTIALS, "original_auth_data", (c, size) -> c.setOriginalAuthData(text(size)));
        connect(rows, FieldLimit.TEXT, "original_auth_method", (c, size) -> c.setOriginalAuthMethod(text(size)));
    }

    private static void ofMessages(List<LimitedFields> rows) {
        message(rows, FieldLimit.PRODUCER_NAME, "producer_name", (m, size) -> m.setProducerName(text(size)));
        message(rows, FieldLimit.BATCH_MESSAGES, "num_messages_in_batch", MessageMetadata::setNumMessagesInBatch);
        message(rows, FieldLimit.MESSAGE_METADATA, "metadata", (m, size) -> {
            m.setPartitionKey(text(size));
            m.setPartitionKey(text(2 * size - m.getSerializedSize()));
        });
    }

    private static void producer(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandProducer> fill) {
        rows.add(new LimitedFields(
                limit,
                "PRODUCER." + field,
                (client, size) -> client.sendProducer(2, TOPIC, p -> fill.accept(p, size))));
    }

    private static void subscribe(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandSubscribe> fill) {
        rows.add(new LimitedFields(
                limit,
                "SUBSCRIBE." + field,
                (client, size) -> client.sendSubscribe(
                        2,
                        TOPIC,
                        CommandSubscribe.SubType.Shared,
                        s -> fill.accept(s.setSubscription("other"), size))));
    }

    private static void ack(List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandAck> fill) {
        rows.add(new LimitedFields(
                limit,
                "ACK." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.ACK,
                        c -> fill.accept(
                                c.setAck().setConsumerId(1).setRequestId(9).setAckType(CommandAck.AckType.Individual),
                                size))));
    }

    private static void redeliver(
            List<LimitedFields> rows,
            FieldLimit limit,
            String field,
            ObjIntConsumer<CommandRedeliverUnacknowledgedMessages> fill) {
        rows.add(new LimitedFields(
                limit,
                "REDELIVER_UNACKNOWLEDGED_MESSAGES." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES,
                        c -> fill.accept(c.setRedeliverUnacknowledgedMessages().setConsumerId(1), size))));
    }

    private static void lookup(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandLookupTopic> fill) {
        rows.add(new LimitedFields(
                limit,
                "LOOKUP." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.LOOKUP,
                        c -> fill.accept(c.setLookupTopic().setTopic(TOPIC).setRequestId(9), size))));
    }

    private static void list(
            List<LimitedFields> rows,
            FieldLimit limit,
            String field,
            ObjIntConsumer<CommandGetTopicsOfNamespace> fill) {
        rows.add(new LimitedFields(
                limit,
                "GET_TOPICS_OF_NAMESPACE." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.GET_TOPICS_OF_NAMESPACE,
                        c -> fill.accept(
                                c.setGetTopicsOfNamespace()
                                        .setNamespace("public/default")
                                        .setRequestId(9),
                                size))));
    }

    private static void watch(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandWatchTopicList> fill) {
        rows.add(new LimitedFields(
                limit,
                "WATCH_TOPIC_LIST." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.WATCH_TOPIC_LIST,
                        c -> fill.accept(
                                c.setWatchTopicList()
                                        .setNamespace("public/default")
                                        .setTopicsPattern(".*")
                                        .setWatcherId(1)
                                        .setRequestId(9),
                                size))));
    }

    private static void partitions(
            List<LimitedFields> rows,
            FieldLimit limit,
            String field,
            ObjIntConsumer<CommandPartitionedTopicMetadata> fill) {
        rows.add(new LimitedFields(
                limit,
                "PARTITIONED_METADATA." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.PARTITIONED_METADATA,
                        c -> fill.accept(
                                c.setPartitionMetadata().setTopic(TOPIC).setRequestId(9), size))));
    }

    private static void connect(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<CommandConnect> fill) {
        rows.add(new LimitedFields(
                limit,
                "CONNECT." + field,
                (client, size) -> client.send(
                        BaseCommand.Type.CONNECT,
                        c -> fill.accept(c.setConnect().setClientVersion("raw").setProtocolVersion(21), size))));
    }

    private static void message(
            List<LimitedFields> rows, FieldLimit limit, String field, ObjIntConsumer<MessageMetadata> fill) {
        rows.add(new LimitedFields(limit, "SEND.metadata." + field, (client, size) -> {
            MessageMetadata metadata = WireFrames.metadata(1);
            fill.accept(metadata, size);
            client.write(WireFrames.send(1, 1, WireFrames.message(metadata, "payload")));
        }));
    }

    private static String text(int chars) {
        return "x".repeat(chars);
    }

    private static String topic(int chars) {
        String prefix = "persistent://public/default/";
        return prefix + text(chars - prefix.length());
    }

    private static Schema schema(Schema empty) {
        return empty.setName("schema").setSchemaData(new byte[0]).setType(Schema.Type.String);
    }

    private static void properties(int count, BiConsumer<String, String> add) {
        IntStream.range(0, count).forEach(i -> add.accept("key" + i, "value"));
    }

    private static void words(MessageIdData id, int count) {
        id.setLedgerId(0).setEntryId(0);
        IntStream.range(0, count).forEach(i -> id.addAckSet(-1));
    }
}
