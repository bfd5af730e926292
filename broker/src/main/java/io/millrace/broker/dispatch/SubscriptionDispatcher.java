package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Apply;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What a dispatcher does for its consumers: it connects the parts, each of which owns its own state. */
final class SubscriptionDispatcher implements Membership.Owner {
    final SubscriptionSettings settings;
    final CursorState cursor;
    final PendingAcks pending = new PendingAcks();
    final RedeliveryQueue redelivery = new RedeliveryQueue();
    final DelayedEntries delayed = new DelayedEntries();
    final Membership members;
    final Consumers consumers;
    final EntryMemory memory;
    final CursorWriter writer;
    final ForwardReader forward;

    private final TopicLog log;
    private final RoundClock clock;
    private final SubscriptionTimes times;
    private final DispatcherContext context;
    private final RedeliveryReader again;
    private final TailSubscription tail;
    private final Acknowledgements acknowledgements;
    private final Delays delays;
    private final Deliveries deliveries;
    private final Runnable deserted;
    private final boolean isTerminated;
    private DispatchPolicy policy = DispatchPolicy.NONE;

    /** {@code whenDeserted} runs whenever the last consumer has left. */
    SubscriptionDispatcher(
            SubscriptionSettings settings, SubscriptionStore store, DispatcherContext context, Runnable whenDeserted) {
        this.deserted = whenDeserted;
        this.settings = settings;
        this.cursor = store.cursor();
        this.context = context;
        log = store.log();
        isTerminated = store.log().isTerminated();
        clock = new RoundClock(store.clock());
        times = new SubscriptionTimes(clock, cursor);
        members = new Membership(settings, pending, context, this, clock);
        consumers = members.consumers;
        String name = settings.name();
        Acknowledgements.Held held = new Acknowledgements.Held(pending, redelivery, delayed);
        int copies = store.cursorLog() == null ? 1 : 2;
        memory = new EntryMemory(
                store.memory(), new EntryMemory.Held(pending, redelivery, delayed, cursor, copies), context);
        writer = new CursorWriter(name, store.cursorLog(), cursor);
        ReadRetry retry = new ReadRetry(name, consumers, context);
        LostEntries lost = new LostEntries(name, store.log(), cursor, held, writer);
        forward = new ForwardReader(store.log(), cursor, retry, lost, context);
        again = new RedeliveryReader(store.log(), redelivery, retry, lost, context);
        tail = new TailSubscription(store.log(), forward, context);
        acknowledgements =
                new Acknowledgements(store.log(), cursor, held, forward, new Acknowledgements.Kept(writer, memory));
        delays = new Delays(delayed, redelivery, store.clock(), context);
        deliveries = new Deliveries(this, delays, new Deliveries.Reading(forward, again, tail), context);
    }

    @Override
    public void detach(ConsumerLink link) {
        Consumer consumer = consumers.find(link);
        if (consumer == null) {
            return;
        }
        giveBack(consumer);
        members.remove(consumer);
        if (consumers.isEmpty()) {
            tail.leave();
            forward.rest();
            again.reset();
            deserted.run();
        }
        context.requestTurn();
    }

    void flow(ConsumerLink link, int permits) {
        Consumer consumer = consumers.find(link);
        if (consumer != null && permits > 0) {
            consumer.flow(permits);
            times.flow(consumer);
            context.requestTurn();
        }
    }

    void ack(Ack ack) {
        CompletableFuture<Void> receipt = ack.receipt();
        Consumer consumer = consumers.find(ack.link());
        if (consumer == null) {
            if (receipt != null) {
                receipt.completeExceptionally(new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "the consumer is not attached: " + ack.link().describe()));
            }
            return;
        }
        long before = pending.unacked();
        long markLedger = cursor.markLedger();
        long markEntry = cursor.markEntry();
        BrokerException problem =
                acknowledgements.apply(ack.request(), selector().type().singleActive());
        consumer.messagesAcked += before - pending.unacked();
        times.acked(consumer, markLedger, markEntry);
        if (receipt != null && problem != null) {
            receipt.completeExceptionally(problem);
        } else if (receipt != null) {
            writer.receiptFor(receipt);
        }
        context.requestTurn();
    }

    void redeliver(Redeliver redeliver) {
        Consumer consumer = consumers.find(redeliver.link());
        if (consumer == null) {
            return;
        }
        if (redeliver.consumerEpoch() >= 0) {
            consumer.link.rewound(redeliver.consumerEpoch());
        }
        if (redeliver.positions().isEmpty() || selector().type().singleActive()) {
            giveBack(consumer);
        } else {
            giveBack(consumer, redeliver.positions());
        }
        context.requestTurn();
    }

    /** Sends the entries that can be sent, then logs the acknowledgements. */
    void turn(boolean deliver) {
        clock.next();
        if (deliver && deliveries.turn(selector())) {
            context.requestTurn();
        }
        clock.next();
        writer.flush();
        memory.update();
        if (isTerminated) {
            tellEnd();
        }
    }

    /** Of a topic that takes no more entries: tells each consumer once that all are acknowledged, or gone. */
    private void tellEnd() {
        if (log.backlogOf(cursor) > 0) {
            return;
        }
        for (Consumer consumer : consumers.all()) {
            if (!consumer.knowsEnd) {
                consumer.knowsEnd = true;
                consumer.link.reachedEnd();
            }
        }
    }

    /** Drops all consumers and the positions of their entries, and goes on right after that position. */
    void restartAfter(Position position) {
        dropConsumers();
        redelivery.clear();
        delayed.clear();
        forward.moveTo(position);
        again.reset();
    }

    /** Releases everything that holds memory or a place in the tail hub. */
    void dropAll() {
        dropConsumers();
        forward.close();
        again.reset();
    }

    /** Acknowledges everything up to and with that position, whoever holds it; replies when that is durable. */
    void skip(Position upTo, CompletableFuture<Void> reply) {
        Position last = log.lastDurable();
        acknowledgements.skip(upTo.isAfter(last) ? last : upTo);
        writer.receiptFor(reply);
        context.requestTurn();
    }

    /** The same of what has expired. */
    void expire(Position upTo, CompletableFuture<Void> reply) {
        long markLedger = cursor.markLedger();
        long markEntry = cursor.markEntry();
        skip(upTo, reply);
        times.expired(markLedger, markEntry);
    }

    /** The position of the last of so many unacknowledged entries, or of those there are. */
    Position unacked(long count) {
        return cursor.unacked(count, log.lastDurable());
    }

    /** A copy of what is acknowledged. */
    CursorState acknowledged() {
        return cursor.copy();
    }

    /**
     * Whether nobody uses it, and the log has all that is to be kept of it, which is not much: the heap that it takes there is
     * counted only here.
     *
     * @param isRoomShort else, how often entries came back is to be kept, too, if consumers are told
     */
    boolean isInLog(boolean isRoomShort) {
        boolean isForgettable =
                isRoomShort || redelivery.sentBefore() == 0 || selector().type().singleActive();
        return consumers.isEmpty() && isForgettable && memory.isCursorSmall() && writer.isInLog();
    }

    /** Keeps to that policy from now on. */
    void apply(Apply wanted) {
        policy = wanted.policy();
        int perConsumer = maxUnacked(selector().type());
        consumers.all().forEach(consumer -> consumer.limit(perConsumer));
        delays.enable(policy.delays());
        deliveries.apply(wanted, settings.limits());
        context.requestTurn();
    }

    DispatcherStats stats() {
        Consumer active = selector().active();
        Map<Consumer, List<KeySharedOptions.HashRange>> ranges = selector().ranges();
        List<DispatcherStats.ConsumerStats> each = consumers.all().stream()
                .map(consumer -> consumers.stats(consumer, ranges.getOrDefault(consumer, List.of())))
                .toList();
        return new DispatcherStats(
                selector().type(),
                cursor.markDelete(),
                pending.size(),
                pending.unacked(),
                redelivery.size() - redelivery.heldBack(),
                redelivery.heldBack(),
                delayed.size(),
                log.backlogOf(cursor),
                consumers.sent(),
                consumers.rates(),
                deliveries.isBlocked(),
                active == null ? "" : active.options.name(),
                tail.isThere(),
                times.times(),
                each);
    }

    /** Chooses the consumer that gets the next entry. */
    Selector selector() {
        return members.selector();
    }

    /** Entries that were passed over are read again, behind those that they came before: all are read again. */
    @Override
    public void filterChanges() {
        readAgain();
    }

    /** Whether a single consumer was sent entries that are not pending, to be read again when it gives back what it has. */
    boolean hasForgotten() {
        return deliveries.hasForgotten();
    }

    /** What waits comes with all that is not acknowledged, in order. */
    private void readAgain() {
        redelivery.stopWaiting();
        forward.moveTo(cursor.markDelete());
        again.reset();
    }

    /** Who has what, and what waits for its time or its key, is another matter with each type: all is read again. */
    @Override
    public void typeChanged(SubscriptionType type) {
        delayed.clear();
        readAgain();
    }

    @Override
    public int maxUnacked(SubscriptionType type) {
        return type.singleActive() ? 0 : policy.maxUnackedPerConsumer(settings.limits());
    }

    @Override
    public void giveBack(Consumer consumer) {
        pending.forEachAndClear(
                consumer.slot, (ledger, entry, slot, remaining, hash) -> redelivery.add(ledger, entry, hash));
        if (deliveries.takeForgotten(consumer)) {
            readAgain();
        }
    }

    private void giveBack(Consumer consumer, List<Position> positions) {
        for (Position position : positions) {
            long packed = pending.removeIfMatching(position.ledgerId(), position.entryId(), consumer.slot);
            if (packed != PendingAcks.MISSING) {
                redelivery.add(position.ledgerId(), position.entryId(), PendingAcks.keyHash(packed));
            }
        }
        consumer.gaveSomeBack();
    }

    private void dropConsumers() {
        pending.clear();
        members.clear();
        deliveries.forgetNoMore();
        tail.leave();
        deserted.run();
    }
}
