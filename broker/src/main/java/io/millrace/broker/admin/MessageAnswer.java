package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.http.Response;
import io.millrace.broker.log.Entry;
import io.millrace.broker.protocol.MessageFormat;
import io.millrace.wire.KeyValue;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.admin.DateFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * An entry as Pulsar's admin client reads it: the payload as the body, not compressed, a batch as a whole, and everything else
 * in headers. What cannot stand in a header is left out.
 */
final class MessageAnswer {
    private static final String PREFIX = "X-Pulsar-";
    private static final String MESSAGE_ID = PREFIX + "Message-ID";
    private static final int OK = 200;

    private MessageAnswer() {}

    /** The answer that holds this entry, which stays the caller's; a refusal with its id if only a client can read it. */
    static Response of(Entry entry) {
        try {
            return of(entry, MessageFormat.contents(entry.data()));
        } catch (BrokerException refusal) {
            return Refusals.of(refusal).withHeader(MESSAGE_ID, entry.position().toString());
        }
    }

    private static Response of(Entry entry, MessageFormat.Contents contents) {
        MessageMetadata metadata = contents.metadata();
        Map<String, String> headers = new TreeMap<>();
        headers.put(MESSAGE_ID, entry.position().toString());
        headers.put(PREFIX + "publish-time", DateFormatter.format(metadata.getPublishTime()));
        headers.put(PREFIX + "sequence-id", Long.toString(metadata.getSequenceId()));
        headers.put(PREFIX + "producer-name", metadata.getProducerName());
        if (metadata.hasEventTime() && metadata.getEventTime() > 0) {
            headers.put(PREFIX + "event-time", DateFormatter.format(metadata.getEventTime()));
        }
        if (metadata.hasDeliverAtTime() && metadata.getDeliverAtTime() > 0) {
            headers.put(PREFIX + "deliver-at-time", DateFormatter.format(metadata.getDeliverAtTime()));
        }
        if (metadata.hasNumMessagesInBatch()) {
            headers.put(PREFIX + "num-batch-message", Integer.toString(metadata.getNumMessagesInBatch()));
            headers.put(PREFIX + "batch-size", Integer.toString(contents.payload().length));
        }
        if (metadata.hasSchemaVersion()) {
            headers.put(
                    PREFIX + "Base64-schema-version", Base64.getEncoder().encodeToString(metadata.getSchemaVersion()));
        }
        if (metadata.hasNullValue()) {
            headers.put(PREFIX + "null-value", Boolean.toString(metadata.isNullValue()));
        }
        addKeys(headers, metadata);
        Map<String, String> properties = new TreeMap<>();
        for (KeyValue property : metadata.getPropertiesList()) {
            properties.put(property.getKey(), property.getValue());
        }
        if (!properties.isEmpty()) {
            headers.put(PREFIX + "PROPERTY", Json.ascii(properties));
        }
        headers.values().removeIf(value -> !isPrintable(value));
        return new Response(OK, "application/octet-stream", contents.payload(), headers);
    }

    private static void addKeys(Map<String, String> headers, MessageMetadata metadata) {
        if (metadata.hasPartitionKey()) {
            headers.put(PREFIX + "partition-key", metadata.getPartitionKey());
            headers.put(PREFIX + "partition-key-b64-encoded", Boolean.toString(metadata.isPartitionKeyB64Encoded()));
        }
        if (metadata.hasOrderingKey()) {
            headers.put(PREFIX + "Base64-ordering-key", Base64.getEncoder().encodeToString(metadata.getOrderingKey()));
        }
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 127);
    }
}
