package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which consumer gets the chunks of each message that is not completely sent. A message is known by its key hash and by a
 * hash of its own, which all its chunks share.
 */
final class ChunkOwners {
    /** The oldest are forgotten when there are more: a producer that died leaves messages without an end. */
    private static final int MAX_UNFINISHED = 1_000;

    private final SubscriptionType type;
    private final Map<Message, Consumer> owners = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Message, Consumer> eldest) {
            return size() > MAX_UNFINISHED;
        }
    };

    /** With the hash under which its chunks wait. */
    private record Message(int keyHash, int ownHash, int waitingHash) {}

    ChunkOwners(SubscriptionType type) {
        this.type = type;
    }

    private Message messageOf(EntryHeader header) {
        int waitingHash = RedeliveryQueue.keyHash(RedeliveryQueue.key(header, type));
        return new Message(header.stickyKeyHash(), header.chunkedHash(), waitingHash);
    }

    /** Who has the earlier chunks of that message; null if nobody. */
    @Nullable
    Consumer ownerOf(EntryHeader chunk) {
        return owners.isEmpty() ? null : owners.get(messageOf(chunk));
    }

    /** Who has chunks of a message whose others wait under that hash, a ready one if there is one; null if nobody. */
    @Nullable
    Consumer anyOwnerOf(int waitingHash) {
        Consumer any = null;
        for (Map.Entry<Message, Consumer> owner : owners.entrySet()) {
            if (owner.getKey().waitingHash() == waitingHash && (any == null || !any.ready())) {
                any = owner.getValue();
            }
        }
        return any;
    }

    /** A chunk goes to the consumer; the rest of its message will, too. */
    void sent(EntryHeader header, Consumer consumer) {
        if ((header.flags() & EntryHeader.LAST_CHUNK) == 0) {
            owners.put(messageOf(header), consumer);
        } else {
            owners.remove(messageOf(header));
        }
    }

    /** The next owner of the chunks that this consumer gave back also gets the rest. */
    void left(Consumer consumer) {
        owners.values().removeIf(owner -> owner == consumer);
    }
}
