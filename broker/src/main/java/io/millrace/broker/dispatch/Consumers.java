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
    private final List<ConsumerLink> unflushed = new ArrayList<>();
    private final PendingAcks pending;

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

    /** Forgets a consumer; pending acks must hold nothing of it any more. */
    void remove(Consumer consumer) {
        if (pending.entries(consumer.slot) != 0) {
            throw new IllegalStateException("slot " + consumer.slot + " still holds entries");
        }
        byLink.remove(consumer.link);
        slotsTaken.clear(consumer.slot);
        unflushed.remove(consumer.link);
    }

    @Nullable
    Consumer find(ConsumerLink link) {
        return byLink.get(link);
    }

    List<Consumer> all() {
        return List.copyOf(byLink.values());
    }

    int count() {
        return byLink.size();
    }

    boolean isEmpty() {
        return byLink.isEmpty();
    }

    /** Remembers to flush the link at the end of the turn. */
    void delivered(ConsumerLink link) {
        int last = unflushed.size() - 1;
        if ((last < 0 || unflushed.get(last) != link) && !unflushed.contains(link)) {
            unflushed.add(link);
        }
    }

    void flush() {
        for (ConsumerLink link : unflushed) {
            link.flush();
        }
        unflushed.clear();
    }
}
