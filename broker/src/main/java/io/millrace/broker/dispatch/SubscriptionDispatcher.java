package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a dispatcher does for its consumers: it connects the parts, each of which owns its own state. */
final class SubscriptionDispatcher {
    final SubscriptionSettings settings;
    final CursorState cursor;
    final PendingAcks pending = new PendingAcks(this::released);
    final RedeliveryQueue redelivery = new RedeliveryQueue();
    final DelayedEntries delayed = new DelayedEntries();
    final Consumers consumers = new Consumers(pending);
    final EntryMemory memory;
    final CursorWriter writer;
    final ForwardReader forward;

    private final DispatcherContext context;
    private final RedeliveryReader again;
    private final TailSubscription tail;
    private final Acknowledgements acknowledgements;
    private final Delays delays;
    private final Deliveries deliveries;
    private final Rivals rivals;
    private final Runnable deserted;
    private final boolean isTerminated;
    private final Position lastPosition;
    private Selector selector;

    /** {@code whenDeserted} runs whenever the last consumer has left. */
    SubscriptionDispatcher(
            SubscriptionSettings settings, SubscriptionStore store, DispatcherContext context, Runnable whenDeserted) {
        this.deserted = whenDeserted;
        this.settings = settings;
        this.cursor = store.cursor();
        this.context = context;
        isTerminated = store.log().isTerminated();
        lastPosition = store.log().lastDurable();
        rivals = new Rivals(context);
        String name = settings.name();
        Acknowledgements.Held held = new Acknowledgements.Held(pending, redelivery, delayed);
        int copies = store.cursorLog() == null ? 1 : 2;
        memory = new EntryMemory(
                store.memory(), new EntryMemory.Held(pending, redelivery, delayed, cursor, copies), context);
        writer = new CursorWriter(name, store.cursorLog(), cursor);
        forward = new ForwardReader(name, store.log(), cursor, context);
        again = new RedeliveryReader(name, store.log(), redelivery, context);
        tail = new TailSubscription(store.log(), forward, context);
        acknowledgements =
                new Acknowledgements(store.log(), cursor, held, forward, new Acknowledgements.Kept(writer, memory));
        delays = new Delays(delayed, redelivery, store.clock(), context);
        deliveries = new Deliveries(this, delays, new Deliveries.Reading(forward, again, tail));
        selector = Selector.of(settings.type(), this::giveBack, pending);
    }

    /**
     * Attaches a consumer. On a conflict it asks the other consumers whether they are alive; {@code again} runs when
     * those that are not have been detached.
     */
    void attach(Attach attach, Runnable again) {
        BrokerException refusal = join(attach);
        if (refusal == null) {
            askActive(attach.link());
        } else if (isConflict(refusal)) {
            rivals.ask(consumers.all(), this::detach, again);
        } else {
            attach.reply().completeExceptionally(refusal);
        }
    }

    /** Attaches a consumer, or refuses it. */
    void attachAtLast(Attach attach) {
        BrokerException refusal = join(attach);
        if (refusal != null) {
            attach.reply().completeExceptionally(refusal);
        }
    }

    private @Nullable BrokerException join(Attach attach) {
        Consumer consumer;
        try {
            consumer = admit(attach.link(), attach.options());
        } catch (BrokerException refused) {
            return refused;
        }
        attach.reply().complete(null);
        selector.joined(consumer);
        context.requestTurn();
        return null;
    }

    private boolean isConflict(BrokerException refusal) {
        return refusal.kind() == ErrorKind.CONSUMER_BUSY || refusal.kind() == ErrorKind.CONSUMER_ASSIGN;
    }

    /** A consumer that waits behind an active one takes over if that one is not alive. */
    private void askActive(ConsumerLink joined) {
        Consumer active = selector.active();
        if (active != null && active.link != joined) {
            rivals.ask(List.of(active), this::detach, context::requestTurn);
        }
    }

    void detach(ConsumerLink link) {
        Consumer consumer = consumers.find(link);
        if (consumer == null) {
            return;
        }
        giveBack(consumer);
        selector.left(consumer);
        consumers.remove(consumer);
        if (consumers.isEmpty()) {
            tail.leave();
            deserted.run();
        }
        context.requestTurn();
    }

    void flow(ConsumerLink link, int permits) {
        Consumer consumer = consumers.find(link);
        if (consumer != null && permits > 0) {
            consumer.flow(permits);
            context.requestTurn();
        }
    }

    void ack(Ack ack) {
        CompletableFuture<Void> receipt = ack.receipt();
        if (consumers.find(ack.link()) == null) {
            if (receipt != null) {
                receipt.completeExceptionally(new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "the consumer is not attached: " + ack.link().describe()));
            }
            return;
        }
        BrokerException problem =
                acknowledgements.apply(ack.request(), selector.type().singleActive());
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
        if (redeliver.positions().isEmpty() || selector.type().singleActive()) {
            giveBack(consumer);
        } else {
            giveBack(consumer, redeliver.positions());
        }
        context.requestTurn();
    }

    /** Sends the entries that can be sent, then logs the acknowledgements. */
    void turn(boolean deliver) {
        if (deliver && deliveries.turn(selector)) {
            context.requestTurn();
        }
        writer.flush();
        memory.update();
        if (isTerminated) {
            tellEnd();
        }
    }

    /** Of a topic that takes no more entries: tells each consumer once that all are acknowledged. */
    private void tellEnd() {
        if (cursor.markDelete().isBefore(lastPosition)) {
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

    DispatcherStats stats() {
        List<DispatcherStats.ConsumerStats> each = consumers.all().stream()
                .map(consumer -> new DispatcherStats.ConsumerStats(
                        consumer.options.consumerId(),
                        consumer.options.name(),
                        consumer.permits(),
                        pending.unacked(consumer.slot),
                        consumer.blocked()))
                .toList();
        return new DispatcherStats(
                selector.type(),
                cursor.markDelete(),
                pending.size(),
                pending.unacked(),
                redelivery.size() - redelivery.heldBack(),
                redelivery.heldBack(),
                delayed.size(),
                tail.isThere(),
                each);
    }

    private Consumer admit(ConsumerLink link, ConsumerOptions options) {
        if (consumers.find(link) != null) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "consumer is attached already: " + link.describe());
        }
        if (consumers.count() >= settings.limits().maxConsumers()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "subscription " + settings.name() + " has its most consumers: "
                            + settings.limits().maxConsumers());
        }
        if (options.type() != selector.type()) {
            changeType(options.type());
        }
        selector.admit(options);
        int maxUnacked = options.type().singleActive() ? 0 : settings.limits().maxUnackedPerConsumer();
        return consumers.add(link, options, maxUnacked);
    }

    private void changeType(SubscriptionType type) {
        if (!consumers.isEmpty()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "Subscription is of different type: " + settings.name() + " is " + selector.type()
                            + " while consumers are connected, " + type + " was asked for");
        }
        selector = Selector.of(type, this::giveBack, pending);
        if (type.singleActive()) {
            delays.releaseAll();
        }
    }

    Selector selector() {
        return selector;
    }

    private void released(long ledger, long entry, int slot, int remaining, int keyHash) {
        selector.released(keyHash, slot);
    }

    private void giveBack(Consumer consumer) {
        pending.forEachAndClear(
                consumer.slot, (ledger, entry, slot, remaining, hash) -> redelivery.add(ledger, entry, hash));
    }

    private void giveBack(Consumer consumer, List<Position> positions) {
        for (Position position : positions) {
            long packed = pending.removeIfMatching(position.ledgerId(), position.entryId(), consumer.slot);
            if (packed != PendingAcks.MISSING) {
                redelivery.add(position.ledgerId(), position.entryId(), PendingAcks.keyHash(packed));
            }
        }
    }

    private void dropConsumers() {
        pending.clear();
        consumers.all().forEach(consumers::remove);
        selector = Selector.of(selector.type(), this::giveBack, pending);
        tail.leave();
        deserted.run();
    }
}
