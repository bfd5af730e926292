package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.schema.Json;
import io.millrace.cli.schema.MessageValues;
import io.millrace.wire.SingleMessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next messages of a subscription. The API gives entries, of which one may be a batch, and one that only a client can read. */
final class Peek {
    private static final String PREFIX = "X-Pulsar-";
    private static final String MESSAGE_ID = PREFIX + "Message-ID";
    private static final String NO_MORE = "Message not found";

    private final AdminClient client;
    private final String subscription;
    private final MessageValues values;

    Peek(AdminClient client, String subscription, MessageValues values) {
        this.client = client;
        this.subscription = subscription;
        this.values = values;
    }

    /** So many messages, or as many as there are. */
    List<ObjectNode> first(int count) {
        List<ObjectNode> messages = new ArrayList<>();
        for (int entry = 1; messages.size() < count; entry++) {
            HttpURLConnection answer = client.answerTo(subscription + "/position/" + entry);
            String refusal = AdminClient.refusalIn(answer);
            if (NO_MORE.equalsIgnoreCase(refusal)) {
                break;
            }
            List<ObjectNode> of = refusal == null ? messages(answer) : List.of(unread(answer, refusal));
            messages.addAll(of.subList(0, Math.min(of.size(), count - messages.size())));
        }
        return messages;
    }

    /** An entry that is refused has an id; without one it is the whole request. */
    private static ObjectNode unread(HttpURLConnection head, String refusal) {
        String id = head.getHeaderField(MESSAGE_ID);
        if (id == null) {
            throw new CommandFailure(refusal, null);
        }
        return Json.object().put("id", id).put("error", refusal);
    }

    private List<ObjectNode> messages(HttpURLConnection head) {
        byte[] content = AdminClient.contentOf(head);
        String id = String.valueOf(head.getHeaderField(MESSAGE_ID));
        String version = head.getHeaderField(PREFIX + "Base64-schema-version");
        byte[] schema = version == null ? null : Base64.getDecoder().decode(version);
        String batch = head.getHeaderField(PREFIX + "num-batch-message");
        if (batch == null) {
            boolean isEncoded = Boolean.parseBoolean(head.getHeaderField(PREFIX + "partition-key-b64-encoded"));
            boolean isNull = Boolean.parseBoolean(head.getHeaderField(PREFIX + "null-value"));
            Key key = Key.of(head.getHeaderField(PREFIX + "partition-key"), isEncoded);
            return List.of(message(id, schema, key, isNull ? null : content));
        }
        List<ObjectNode> messages = new ArrayList<>();
        ByteBuf left = Unpooled.wrappedBuffer(content);
        SingleMessageMetadata single = new SingleMessageMetadata();
        for (int i = 0; i < Integer.parseInt(batch); i++) {
            int metadataBytes = left.readInt();
            single.parseFrom(left.readSlice(metadataBytes), metadataBytes);
            byte[] payload = new byte[single.getPayloadSize()];
            left.readBytes(payload);
            Key key = Key.of(
                    single.hasPartitionKey() ? single.getPartitionKey() : null, single.isPartitionKeyB64Encoded());
            messages.add(message(id + ':' + i, schema, key, single.isNullValue() ? null : payload));
        }
        return messages;
    }

    /** A message's key, which is in Base64 where it is no text. */
    private record Key(String text, boolean isEncoded) {
        static @Nullable Key of(@Nullable String text, boolean isEncoded) {
            return text == null ? null : new Key(text, isEncoded);
        }

        byte[] bytes() {
            return isEncoded ? Base64.getDecoder().decode(text) : text.getBytes(StandardCharsets.UTF_8);
        }
    }

    private ObjectNode message(String id, byte @Nullable [] schema, @Nullable Key key, byte @Nullable [] payload) {
        ObjectNode message = Json.object();
        message.put("id", id);
        if (key != null) {
            message.put(key.isEncoded ? "keyBytes" : "key", key.text);
        }
        values.addTo(message, schema, key == null ? null : key.bytes(), payload);
        return message;
    }
}
