package io.millrace.broker.dispatch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attached consumers of a subscription, by link, with a dense slot each, and those that await a flush. */
final class Consumers {
    private final IdentityHashMap<ConsumerLink, Consumer> byLink = new IdentityHashMap<>();
    private final BitSet slotsTaken = new BitSet();
    private final List<Consumer> unflushed = new ArrayList<>();
    private final PendingAcks pending;
    private long goneMessagesOut;
    private long goneBytesOut;

    Consumers(PendingAcks pending) {
        this.pending = pending;
    }

    Consumer add(ConsumerLink link, ConsumerOptions options, int maxUnacked) {
        int slot = slotsTaken.nextClearBit(0);
        Consumer consumer = new Consumer(link, options, slot, pending, maxUnacked);
        byLink.put(link, consumer);
        slotsTaken.set(slot);
        return consumer;
    }

    /** Removes a consumer, for which pending acks must hold no entry. */
    void remove(Consumer consumer) {
        if (pending.entries(consumer.slot) != 0) {
            throw new IllegalStateException("slot " + consumer.slot + " still holds entries");
        }
        byLink.remove(consumer.link);
        goneMessagesOut += consumer.messagesOut;
        goneBytesOut += consumer.bytesOut;
        slotsTaken.clear(consumer.slot);
        unflushed.remove(consumer);
    }

    @Nullable
    Consumer find(ConsumerLink link) {
        return byLink.get(link);
    }

    List<Consumer> all() {
        return List.copyOf(byLink.values());
    }

    /** Messages that were sent to all, also to those that have left. */
    long messagesOut() {
        return goneMessagesOut
                + byLink.values().stream().mapToLong(each -> each.messagesOut).sum();
    }

    /** The bytes of those. */
    long bytesOut() {
        return goneBytesOut
                + byLink.values().stream().mapToLong(each -> each.bytesOut).sum();
    }

    int count() {
        return byLink.size();
    }

    boolean isEmpty() {
        return byLink.isEmpty();
    }

    /** Remembers to flush the consumer's link at the end of the turn. */
    void delivered(Consumer consumer) {
        if (!consumer.unflushed) {
            consumer.unflushed = true;
            unflushed.add(consumer);
        }
    }

    void flush() {
        for (Consumer consumer : unflushed) {
            consumer.unflushed = false;
            consumer.link.flush();
        }
        unflushed.clear();
    }
}
