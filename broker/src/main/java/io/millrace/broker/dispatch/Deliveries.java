package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * Sends entries while a consumer takes them: first those that wait, then new ones. Of an entry that cannot be sent yet,
 * because of its time or its key, the position is kept, not the bytes. Permits are charged only for an entry that
 * pending acks hold, and that is sent in the same step.
 */
final class Deliveries {
    private static final int MAX_PER_TURN = 256;
    private static final int MAX_PLACED_PER_TURN = 1_024;
    /** How many entries may be held back while it looks for others that can be sent. */
    private static final int LOOK_AHEAD_PER_CONSUMER = 2_000;

    private static final int LOOK_AHEAD = 20_000;
    private final Consumers consumers;
    private final PendingAcks pending;
    private final RedeliveryQueue redelivery;
    private final Delays delays;
    private final CursorState cursor;
    private final Reading reading;
    private final EntryMemory memory;
    private final DispatcherContext context;
    /** Unacknowledged messages of a single consumer that are remembered one by one; more are forgotten, and read again. */
    private final int maxRemembered;

    private int maxUnacked;
    /** Holds it to a rate; null while there is none. */
    private @Nullable DispatchGovernor governor;

    private boolean blocked;
    /** A single consumer that was sent entries which are neither pending nor, as far as is known here, acknowledged. */
    private @Nullable Consumer forgotten;

    /** How many new entries there is memory for in this turn. */
    private long room;

    private int placed;

    /** Where entries come from. */
    record Reading(ForwardReader forward, RedeliveryReader again, TailSubscription tail) {}

    Deliveries(SubscriptionDispatcher subscription, Delays delays, Reading reading, DispatcherContext context) {
        this.context = context;
        this.consumers = subscription.consumers;
        this.pending = subscription.pending;
        this.redelivery = subscription.redelivery;
        this.cursor = subscription.cursor;
        this.maxUnacked = subscription.settings.limits().maxUnackedPerSubscription();
        this.maxRemembered = subscription.settings.limits().maxRemembered();
        this.memory = subscription.memory;
        this.delays = delays;
        this.reading = reading;
    }

    /** Sends as much as it can; true if it stopped only to keep the turn short. */
    boolean turn(Selector selector) {
        int sent = 0;
        placed = 0;
        boolean more = false;
        updateBlocked(selector);
        delays.release();
        reading.again.startPass();
        room = selector.anyReady() ? roomToReadOn(selector) : 0;
        boolean hadRoom = room > 0;
        while (selector.anyReady() && (governor == null || governor.maySend())) {
            if (sent == MAX_PER_TURN || placed >= MAX_PLACED_PER_TURN) {
                more = true;
                break;
            }
            if (!sendWaiting(selector) && !sendNew(selector)) {
                more = placed >= MAX_PLACED_PER_TURN
                        || (hadRoom && room == 0)
                        || (mayReadOn(selector) && reading.forward.idleReason() == ForwardReader.IdleReason.MORE);
                break;
            }
            sent++;
        }
        reading.again.dropStale();
        reading.tail.idle();
        consumers.flush();
        return more;
    }

    /**
     * Whether the subscription holds too many unacknowledged messages: true from the limit until they fall to half of
     * it, where several consumers share them. A single one may acknowledge all by its last, or never: of it, so many are
     * forgotten.
     */
    private void updateBlocked(Selector selector) {
        long limit = blocked ? maxUnacked / 2 + 1L : maxUnacked;
        blocked = !selector.type().singleActive() && pending.unacked() >= limit;
    }

    private void forgetIfTooMany(Consumer consumer, Selector selector) {
        if (selector.type().singleActive() && pending.unacked() >= maxRemembered) {
            forgetSentTo(consumer);
        }
    }

    private void forgetSentTo(Consumer consumer) {
        pending.clear();
        forgotten = consumer;
    }

    /** How many new entries there is memory for; a single consumer that may never acknowledge gets on without it. */
    private long roomToReadOn(Selector selector) {
        long found = memory.roomToReadOn();
        Consumer single = selector.type().singleActive() ? selector.likely(0, false) : null;
        if (found > 0 || single == null || pending.size() == 0) {
            return found;
        }
        forgetSentTo(single);
        return memory.roomToReadOn();
    }

    /** Whether entries of that consumer, which gives back what it holds, are to be read again, as they are not pending; once. */
    boolean takeForgotten(Consumer consumer) {
        boolean isForgotten = forgotten == consumer;
        if (isForgotten) {
            forgotten = null;
        }
        return isForgotten;
    }

    /** No consumer is left, and nothing is read again because of one. */
    void forgetNoMore() {
        forgotten = null;
    }

    /** Whether there are such entries; for checks. */
    boolean hasForgotten() {
        return forgotten != null;
    }

    /** Keeps to that policy from now on. */
    void apply(DispatcherCommand.Apply wanted, SubscriptionLimits limits) {
        maxUnacked = wanted.policy().maxUnackedPerSubscription(limits);
        governor = DispatchGovernor.of(wanted.policy(), wanted.leases(), context);
    }

    /** Whether nothing new is sent, as the subscription holds too many unacknowledged messages. */
    boolean isBlocked() {
        return blocked;
    }

    private boolean sendWaiting(Selector selector) {
        if (redelivery.isEmpty()) {
            return false;
        }
        Entry entry = reading.again.poll(selector, !blocked);
        while (entry != null) {
            if (delays.keep(entry, selector)) {
                keptAgain(entry);
            } else {
                boolean mustWait = reading.again.isBehindItsChunk(entry, selector.type());
                Consumer taker = mustWait ? null : selector.pick(entry.header());
                if (taker != null) {
                    send(entry, taker, selector);
                    return true;
                }
                reading.again.passOver(entry, selector.type());
            }
            entry = placed < MAX_PLACED_PER_TURN ? reading.again.poll(selector, !blocked) : null;
        }
        return false;
    }

    /** It was released, or sent, while nothing was delayed, and waits for its time once more. */
    private void keptAgain(Entry entry) {
        redelivery.sent(entry.position().ledgerId(), entry.position().entryId());
        entry.release();
        placed++;
    }

    private boolean sendNew(Selector selector) {
        while (mayReadOn(selector) && placed < MAX_PLACED_PER_TURN) {
            Entry entry = forward(selector);
            if (entry == null) {
                return false;
            }
            room--;
            boolean isWanted = selector.wants(entry.header().stickyKeyHash());
            Consumer taker = !isWanted || delays.keep(entry, selector) ? null : takerOf(entry, selector);
            if (taker != null) {
                send(entry, taker, selector);
                return true;
            }
            entry.release();
            placed++;
        }
        return false;
    }

    /** Whether new entries may pass those that wait. */
    private boolean mayReadOn(Selector selector) {
        if (blocked || room == 0) {
            return false;
        }
        return switch (selector.type()) {
            case EXCLUSIVE, FAILOVER -> redelivery.isEmpty();
            case SHARED -> redelivery.whole() == 0 && redelivery.heldBack() < LOOK_AHEAD;
            case KEY_SHARED ->
                redelivery.heldBack() < Math.min(LOOK_AHEAD, (long) LOOK_AHEAD_PER_CONSUMER * consumers.count());
        };
    }

    /** The consumer that gets a new entry now; null if there is none, and then the entry is held back. */
    private @Nullable Consumer takerOf(Entry entry, Selector selector) {
        EntryHeader header = entry.header();
        int key = RedeliveryQueue.key(header, selector.type());
        boolean keepsOrder = selector.type() == SubscriptionType.KEY_SHARED || header.isChunked();
        boolean isBehind = keepsOrder && !redelivery.isEmpty() && redelivery.hasHash(RedeliveryQueue.keyHash(key));
        Consumer taker = isBehind ? null : selector.pick(header);
        if (taker == null) {
            Position position = entry.position();
            redelivery.holdBack(position.ledgerId(), position.entryId(), key);
        }
        return taker;
    }

    private @Nullable Entry forward(Selector selector) {
        Entry entry = reading.forward.poll(selector);
        while (entry == null
                && reading.forward.idleReason() == ForwardReader.IdleReason.AT_END
                && reading.tail.refreshEnd()) {
            entry = reading.forward.poll(selector);
        }
        if (entry == null && reading.forward.idleReason() == ForwardReader.IdleReason.AT_END) {
            reading.tail.join();
        }
        return entry;
    }

    private void send(Entry entry, Consumer consumer, Selector selector) {
        Position position = entry.position();
        long ledger = position.ledgerId();
        long id = position.entryId();
        EntryHeader header = entry.header();
        long[] ackSet = cursor.ackSet(position);
        int messages = Math.max(1, Math.min(header.messageCount(), PendingAcks.FIELD_LIMIT));
        int unacked = Acknowledgements.unackedIn(ackSet, messages);
        redelivery.sent(ledger, id);
        if (!pending.add(ledger, id, consumer.slot, unacked, header.stickyKeyHash())) {
            entry.release();
            throw new IllegalStateException(position + " was about to be sent while it is pending");
        }
        selector.sent(header, consumer);
        consumer.charge(unacked);
        if (governor != null) {
            governor.sent(unacked, entry.data().readableBytes());
        }
        consumer.bytesOut += entry.data().readableBytes();
        updateBlocked(selector);
        forgetIfTooMany(consumer, selector);
        consumers.delivered(consumer);
        int deliveredBefore = redelivery.countOf(ledger, id);
        consumer.messagesAgain += deliveredBefore > 0 ? unacked : 0;
        consumer.link.deliver(entry, deliveredBefore, ackSet);
    }
}
