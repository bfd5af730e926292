package io.millrace.broker.protocol;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message, read from its entry.
 *
 * @param batchIndex its place in a batch of {@code batchSize}; 0 of 1 for a message that was sent alone
 * @param key its partition key; null if it has none
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredMessage(
        int batchIndex,
        int batchSize,
        byte[] payload,
        @Nullable String key,
        Map<String, String> properties,
        long publishTimeMillis) {
    public StoredMessage {
        properties = Map.copyOf(properties);
    }
}
