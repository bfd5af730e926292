package io.millrace.broker.admin;

import io.millrace.avro.jackson.core.JsonGenerator;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.ConsumerStatsImpl;
import io.millrace.wire.admin.NonPersistentSubscriptionStatsImpl;
import io.millrace.wire.admin.NonPersistentTopicStatsImpl;
import io.millrace.wire.admin.SubscriptionStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of all topics' figures: namespaces, in each its one bundle, in that topics by domain. It has fields of its own, fewer than
 * those of a single topic. Topics are given namespace by namespace, in each those that are stored first. Used by one thread at a time.
 */
final class BrokerStatsText {
    /** Types whose consumers acknowledge one by one. */
    private static final Set<String> SHARED = Set.of("Shared", "Key_Shared");

    private static final double THOUSAND = 1_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final JsonGenerator json = Json.generator(out);
    /** The last topic; null before the first. */
    private @Nullable TopicName last;

    /** Writes a part of it. */
    private interface Part {
        void write() throws IOException;
    }

    BrokerStatsText() {
        write(json::writeStartObject);
    }

    /** The next topic. */
    void topic(TopicName name, TopicStatsImpl stats) {
        write(() -> {
            place(name);
            json.writeObjectFieldStart(name.full());
            if (stats instanceof NonPersistentTopicStatsImpl live) {
                live(live);
            } else {
                stored(stats);
            }
            json.writeEndObject();
        });
    }

    /** What was written since this was last asked. */
    byte[] written() {
        write(json::flush);
        byte[] bytes = out.toByteArray();
        out.reset();
        return bytes;
    }

    /** The last of it. */
    byte[] end() {
        write(() -> {
            leave();
            json.writeEndObject();
        });
        return written();
    }

    private static void write(Part part) {
        try {
            part.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void place(TopicName name) throws IOException {
        TopicName before = last;
        boolean isNamespace = before == null
                || !before.namespace().equals(name.namespace())
                || !before.tenant().equals(name.tenant());
        if (isNamespace) {
            leave();
            json.writeObjectFieldStart(name.tenant() + "/" + name.namespace());
            json.writeObjectFieldStart(LookupPaths.BUNDLE);
            json.writeObjectFieldStart("persistent");
        }
        if (!name.isPersistent() && (isNamespace || (before != null && before.isPersistent()))) {
            json.writeEndObject();
            json.writeObjectFieldStart("non-persistent");
        }
        last = name;
    }

    private void leave() throws IOException {
        if (last != null) {
            json.writeEndObject();
            json.writeEndObject();
            json.writeEndObject();
        }
    }

    private void stored(TopicStatsImpl stats) throws IOException {
        publishers(stats);
        json.writeObjectFieldStart("subscriptions");
        for (Map.Entry<String, SubscriptionStatsImpl> each : stats.subscriptions.entrySet()) {
            json.writeObjectFieldStart(each.getKey());
            subscription(each.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
        counts(stats);
        json.writeNumberField("storageSize", stats.getStorageSize());
        json.writeNumberField("backlogSize", stats.getBacklogSize());
        json.writeNumberField("pendingAddEntriesCount", 0);
        json.writeNumberField("filteredEntriesCount", 0);
    }

    private void live(NonPersistentTopicStatsImpl stats) throws IOException {
        publishers(stats);
        json.writeObjectFieldStart("subscriptions");
        for (var each : stats.getNonPersistentSubscriptions().entrySet()) {
            json.writeObjectFieldStart(each.getKey());
            common((NonPersistentSubscriptionStatsImpl) each.getValue());
            json.writeStringField("type", each.getValue().getType());
            json.writeNumberField("msgDropRate", rounded(each.getValue().getMsgDropRate()));
            json.writeEndObject();
        }
        json.writeEndObject();
        counts(stats);
        json.writeNumberField("filteredEntriesCount", 0);
    }

    private void publishers(TopicStatsImpl stats) throws IOException {
        json.writeArrayFieldStart("publishers");
        for (var each : stats.getPublishers()) {
            json.writeStartObject();
            json.writeNumberField("msgRateIn", rounded(each.getMsgRateIn()));
            json.writeNumberField("msgThroughputIn", rounded(each.getMsgThroughputIn()));
            json.writeNumberField("averageMsgSize", rounded(each.getAverageMsgSize()));
            json.writeStringField("address", each.getAddress());
            json.writeNumberField("producerId", each.getProducerId());
            json.writeStringField("producerName", each.getProducerName());
            json.writeStringField("connectedSince", each.getConnectedSince());
            json.writeStringField("clientVersion", each.getClientVersion());
            metadata(each.getMetadata());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeObjectFieldStart("replication");
        json.writeEndObject();
    }

    private void subscription(SubscriptionStatsImpl stats) throws IOException {
        common(stats);
        json.writeNumberField("numberOfEntriesSinceFirstNotAckedMessage", 1 + stats.getUnackedMessages());
        json.writeNumberField("totalNonContiguousDeletedMessagesRange", stats.getNonContiguousDeletedMessagesRanges());
        json.writeStringField("type", stats.getType());
        if (stats.getConsumers().isEmpty()) {
            return;
        }
        for (String filtered : new String[] {"Processed", "Accepted", "Rejected", "Rescheduled"}) {
            json.writeNumberField("filter" + filtered + "MsgCount", 0);
        }
        if (SHARED.contains(stats.getType())) {
            json.writeBooleanField("blockedSubscriptionOnUnackedMsgs", stats.isBlockedSubscriptionOnUnackedMsgs());
            json.writeNumberField("unackedMessages", stats.getUnackedMessages());
        }
    }

    private void common(SubscriptionStatsImpl stats) throws IOException {
        json.writeArrayFieldStart("consumers");
        for (ConsumerStatsImpl consumer : stats.consumers) {
            consumer(consumer, SHARED.contains(stats.getType()));
        }
        json.writeEndArray();
        json.writeNumberField("msgBacklog", stats.getMsgBacklog());
        json.writeNumberField("msgRateExpired", rounded(stats.getMsgRateExpired()));
        json.writeNumberField("msgRateOut", rounded(stats.getMsgRateOut()));
        json.writeNumberField("messageAckRate", rounded(stats.getMessageAckRate()));
        json.writeNumberField("msgThroughputOut", rounded(stats.getMsgThroughputOut()));
        json.writeNumberField("msgRateRedeliver", rounded(stats.getMsgRateRedeliver()));
    }

    private void consumer(ConsumerStatsImpl stats, boolean isShared) throws IOException {
        json.writeStartObject();
        json.writeStringField("address", stats.getAddress());
        json.writeStringField("consumerName", stats.getConsumerName());
        json.writeNumberField("availablePermits", stats.getAvailablePermits());
        json.writeStringField("connectedSince", stats.getConnectedSince());
        json.writeNumberField("msgRateOut", rounded(stats.getMsgRateOut()));
        json.writeNumberField("msgThroughputOut", rounded(stats.getMsgThroughputOut()));
        json.writeNumberField("msgRateRedeliver", rounded(stats.getMsgRateRedeliver()));
        json.writeNumberField("avgMessagesPerEntry", stats.getAvgMessagesPerEntry());
        json.writeNumberField("messageAckRate", rounded(stats.getMessageAckRate()));
        if (isShared) {
            json.writeNumberField("unackedMessages", stats.getUnackedMessages());
            json.writeBooleanField("blockedConsumerOnUnackedMsgs", stats.isBlockedConsumerOnUnackedMsgs());
        }
        json.writeStringField("clientVersion", stats.getClientVersion());
        metadata(stats.getMetadata());
        json.writeEndObject();
    }

    private void counts(TopicStatsImpl stats) throws IOException {
        json.writeNumberField("producerCount", stats.getPublishers().size());
        json.writeNumberField("averageMsgSize", rounded(stats.getAverageMsgSize()));
        json.writeNumberField("msgRateIn", rounded(stats.getMsgRateIn()));
        json.writeNumberField("msgRateOut", rounded(stats.getMsgRateOut()));
        json.writeNumberField("msgInCount", stats.getMsgInCounter());
        json.writeNumberField("bytesInCount", stats.getBytesInCounter());
        json.writeNumberField("msgOutCount", stats.getMsgOutCounter());
        json.writeNumberField("bytesOutCount", stats.getBytesOutCounter());
        json.writeNumberField("msgThroughputIn", rounded(stats.getMsgThroughputIn()));
        json.writeNumberField("msgThroughputOut", rounded(stats.getMsgThroughputOut()));
    }

    private void metadata(@Nullable Map<String, String> metadata) throws IOException {
        json.writeObjectFieldStart("metadata");
        if (metadata != null) {
            for (Map.Entry<String, String> each : metadata.entrySet()) {
                json.writeStringField(each.getKey(), each.getValue());
            }
        }
        json.writeEndObject();
    }

    /** To three digits, as Pulsar writes rates. */
    private static double rounded(double rate) {
        return Math.round(rate * THOUSAND) / THOUSAND;
    }
}
