package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.wire.SingleMessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next messages of a subscription. The API gives entries, of which one may be a batch of messages. */
final class Peek {
    private static final String PREFIX = "X-Pulsar-";
    private static final String NO_MORE = "Message not found";

    private final AdminClient client;
    private final String subscription;

    Peek(AdminClient client, String subscription) {
        this.client = client;
        this.subscription = subscription;
    }

    /** So many messages, or as many as there are. */
    List<ObjectNode> first(int count) {
        List<ObjectNode> messages = new ArrayList<>();
        for (int entry = 1; messages.size() < count; entry++) {
            HttpURLConnection answer = entry(entry);
            if (answer == null) {
                break;
            }
            List<ObjectNode> of = messages(answer);
            messages.addAll(of.subList(0, Math.min(of.size(), count - messages.size())));
        }
        return messages;
    }

    private @Nullable HttpURLConnection entry(int number) {
        try {
            return client.answerTo(subscription + "/position/" + number);
        } catch (CommandFailure none) {
            if (CommandFailure.reason(none).equalsIgnoreCase(NO_MORE)) {
                return null;
            }
            throw none;
        }
    }

    private static List<ObjectNode> messages(HttpURLConnection head) {
        byte[] content = AdminClient.contentOf(head);
        String id = String.valueOf(head.getHeaderField(PREFIX + "Message-ID"));
        String batch = head.getHeaderField(PREFIX + "num-batch-message");
        if (batch == null) {
            return List.of(message(id, head.getHeaderField(PREFIX + "partition-key"), content));
        }
        List<ObjectNode> messages = new ArrayList<>();
        ByteBuf left = Unpooled.wrappedBuffer(content);
        SingleMessageMetadata single = new SingleMessageMetadata();
        for (int i = 0; i < Integer.parseInt(batch); i++) {
            int metadataBytes = left.readInt();
            single.parseFrom(left.readSlice(metadataBytes), metadataBytes);
            byte[] payload = new byte[single.getPayloadSize()];
            left.readBytes(payload);
            messages.add(message(id + ':' + i, single.hasPartitionKey() ? single.getPartitionKey() : null, payload));
        }
        return messages;
    }

    private static ObjectNode message(String id, @Nullable String key, byte[] payload) {
        ObjectNode message = AdminClient.JSON.createObjectNode();
        message.put("id", id);
        if (key != null) {
            message.put("key", key);
        }
        message.put("text", new String(payload, StandardCharsets.UTF_8));
        return message.put("bytes", payload);
    }
}
