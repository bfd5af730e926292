package io.millrace.broker.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message, read from its entry.
 *
 * @param place where it is in its entry
 * @param key its partition key; null if it has none
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredMessage(
        Place place, byte[] payload, @Nullable String key, Map<String, String> properties, long publishTimeMillis) {
    /** The index of a message in a batch of that size. */
    public record Place(int index, int size) {
        /** The place of a message that was sent alone. */
        public static final Place ALONE = new Place(0, 1);
    }

    public StoredMessage {
        properties = Map.copyOf(properties);
    }
}
