package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.schema.Json;
import io.millrace.cli.schema.MessageSchema;
import io.millrace.cli.schema.MessageValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.jspecify.annotations.Nullable;

/** A message as JSON: what is known of it, and its value by the schema that it was written with. For one thread. */
final class JsonFormat implements LineFormat {
    private final VersionedBytes schemas;
    private final MessageValues values = new MessageValues(this::fetch);

    /** Takes the schema of the consumer. */
    JsonFormat(VersionedBytes schemas) {
        this.schemas = schemas;
    }

    @Override
    public byte[] line(Message<byte[]> message) throws IOException {
        ObjectNode line = Json.object();
        addId(line, (MessageIdAdv) message.getMessageId());
        byte[] key = message.hasKey() ? message.getKeyBytes() : null;
        if (message.hasBase64EncodedKey()) {
            line.put("keyBytes", key);
        } else if (message.hasKey()) {
            line.put("key", message.getKey());
        }
        if (message.hasOrderingKey()) {
            line.put("orderingKeyBytes", message.getOrderingKey());
        }
        line.put("publishTime", Instant.ofEpochMilli(message.getPublishTime()).toString());
        if (message.getEventTime() > 0) {
            line.put("eventTime", Instant.ofEpochMilli(message.getEventTime()).toString());
        }
        if (!message.getProperties().isEmpty()) {
            ObjectNode properties = line.putObject("properties");
            message.getProperties().forEach(properties::put);
        }
        values.addTo(line, message.getSchemaVersion(), key, message.getData());
        return Json.line(line);
    }

    private static void addId(ObjectNode line, MessageIdAdv id) {
        String entry = id.getLedgerId() + ":" + id.getEntryId();
        line.put("id", id.getBatchIndex() < 0 ? entry : entry + ':' + id.getBatchIndex());
        if (id.getPartitionIndex() >= 0) {
            line.put("partition", id.getPartitionIndex());
        }
    }

    private @Nullable MessageSchema fetch(long version) throws IOException {
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(version).array();
        SchemaInfo found;
        try {
            found = schemas.provider().getSchemaByVersion(number).join();
        } catch (CompletionException e) {
            throw new CommandFailure(
                    "cannot fetch version " + version + " of the schema: " + CommandFailure.innermostReason(e), e);
        }
        return found == null
                ? null
                : MessageSchema.ofClient(found.getType().name(), found.getSchema(), found.getProperties());
    }
}
