package io.millrace.broker.dispatch;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The attached consumers of a subscription, by link, with a dense slot each, and those that await a flush. */
final class Consumers {
    /** How many are asked at a time whether they are alive. */
    private static final int MAX_ASKED = 100;

    private final IdentityHashMap<ConsumerLink, Consumer> byLink = new IdentityHashMap<>();
    private final BitSet slotsTaken = new BitSet();
    private final List<Consumer> unflushed = new ArrayList<>();
    private final PendingAcks pending;
    private final LongSupplier nanoTime;
    private final RoundClock clock;
    /** Since the first consumer came; nothing was sent before. */
    private @Nullable Meter meter;

    private int nextAsked;

    /** What those that have left were sent, and acknowledged, and what nobody took. */
    private final long[] gone = new long[Rates.COUNTERS];

    /**
     * @param nanoTime what rates are measured by
     * @param clock tells when consumers were sent something
     */
    Consumers(PendingAcks pending, LongSupplier nanoTime, RoundClock clock) {
        this.pending = pending;
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    Consumer add(ConsumerLink link, ConsumerOptions options, int maxUnacked) {
        int slot = slotsTaken.nextClearBit(0);
        long nowNanos = nanoTime.getAsLong();
        meter = meter == null ? new Meter(Rates.COUNTERS, nowNanos) : meter;
        Consumer consumer = new Consumer(link, options, slot, pending, nowNanos);
        consumer.limit(maxUnacked);
        byLink.put(link, consumer);
        slotsTaken.set(slot);
        return consumer;
    }

    /** Removes a consumer, for which pending acks must hold no entry; what its link was given last goes on its way. */
    void remove(Consumer consumer) {
        if (pending.entries(consumer.slot) != 0) {
            throw new IllegalStateException("slot " + consumer.slot + " still holds entries");
        }
        byLink.remove(consumer.link);
        add(gone, consumer);
        slotsTaken.clear(consumer.slot);
        if (consumer.unflushed) {
            consumer.unflushed = false;
            unflushed.remove(consumer);
            consumer.link.flush();
        }
    }

    @Nullable
    Consumer find(ConsumerLink link) {
        return byLink.get(link);
    }

    List<Consumer> all() {
        return List.copyOf(byLink.values());
    }

    /** Messages that were sent to all, also to those that have left, their bytes, those sent again, those acknowledged, and those dropped. */
    private long[] totals() {
        long[] totals = gone.clone();
        for (Consumer consumer : byLink.values()) {
            add(totals, consumer);
        }
        return totals;
    }

    private static void add(long[] totals, Consumer consumer) {
        totals[0] += consumer.messagesOut;
        totals[1] += consumer.bytesOut;
        totals[2] += consumer.messagesAgain;
        totals[3] += consumer.messagesAcked;
    }

    /** So many messages came that nobody took. */
    void dropped(int messages) {
        gone[4] += messages;
    }

    /** What was sent to all, also to those that have left. */
    DispatcherStats.Sent sent() {
        long[] totals = totals();
        return new DispatcherStats.Sent(totals[0], totals[1]);
    }

    /** What goes to all of them a second. */
    Rates rates() {
        return meter == null ? Rates.NONE : Rates.of(meter.look(nanoTime.getAsLong(), totals()));
    }

    /** The figures of one. */
    DispatcherStats.ConsumerStats stats(Consumer consumer, List<KeySharedOptions.HashRange> ranges) {
        return DispatcherStats.ConsumerStats.of(
                consumer, pending.unacked(consumer.slot), consumer.rates(nanoTime.getAsLong()), ranges);
    }

    /**
     * Asks some of those that would take an entry now whether they are alive, others each time; the connection of one that is
     * not is closed.
     */
    void askReady() {
        List<Consumer> all = all();
        for (int i = 0; i < Math.min(MAX_ASKED, all.size()); i++) {
            nextAsked = (nextAsked + 1) % all.size();
            Consumer consumer = all.get(nextAsked);
            if (consumer.ready()) {
                var unused = consumer.link.isAlive();
            }
        }
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

    /** Has the links write what they were given; once at the end of a turn, which is when it counts as sent. */
    void flush() {
        for (Consumer consumer : unflushed) {
            consumer.unflushed = false;
            consumer.activity.sent(clock.millis());
            consumer.link.flush();
        }
        unflushed.clear();
    }
}
