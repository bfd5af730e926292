package io.millrace.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is published to a topic and delivered from it. The payload is not copied: do not change it.
 *
 * @param key keeps messages together and in order on Key_Shared subscriptions; null for none
 * @param deliverAtMillis the earliest time of its delivery, in milliseconds since the epoch; 0 for at once
 */
@SuppressWarnings("ArrayRecordComponent")
public record Message(byte[] payload, @Nullable String key, Map<String, String> properties, long deliverAtMillis) {
    public Message {
        properties = Map.copyOf(properties);
    }

    /** A message without a key. */
    public static Message of(byte[] payload) {
        return new Message(payload, null, Map.of(), 0);
    }

    /** A message without a key, in UTF-8. */
    public static Message of(String text) {
        return of(text.getBytes(UTF_8));
    }

    /** The payload, read as UTF-8. */
    public String text() {
        return new String(payload, UTF_8);
    }

    /** The same under a key. */
    public Message withKey(String newKey) {
        return new Message(payload, newKey, properties, deliverAtMillis);
    }

    /** The same with one more property. */
    public Message withProperty(String name, String value) {
        Map<String, String> more = new HashMap<>(properties);
        more.put(name, value);
        return new Message(payload, key, more, deliverAtMillis);
    }

    /** The same, not to be delivered before that time. */
    public Message withDeliverAt(Instant time) {
        return new Message(payload, key, properties, time.toEpochMilli());
    }
}
