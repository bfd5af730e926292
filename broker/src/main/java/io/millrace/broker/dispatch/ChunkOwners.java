package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which consumer gets the chunks of each message that is not completely sent. A message is known by its key hash, which
 * all its chunks share; two messages with one hash go to one consumer, which does no harm.
 */
final class ChunkOwners {
    /** The oldest are forgotten when there are more: a producer that died leaves messages without an end. */
    private static final int MAX_UNFINISHED = 1_000;

    private final Map<Integer, Consumer> byHash = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Consumer> eldest) {
            return size() > MAX_UNFINISHED;
        }
    };

    @Nullable
    Consumer ownerOf(int keyHash) {
        return byHash.isEmpty() ? null : byHash.get(keyHash);
    }

    /** A chunk goes to the consumer; the rest of its message will, too. */
    void sent(EntryHeader header, Consumer consumer) {
        if ((header.flags() & EntryHeader.LAST_CHUNK) == 0) {
            byHash.put(header.stickyKeyHash(), consumer);
        } else {
            byHash.remove(header.stickyKeyHash());
        }
    }

    /** The next owner of the chunks that this consumer gave back also gets the rest. */
    void left(Consumer consumer) {
        byHash.values().removeIf(owner -> owner == consumer);
    }
}
