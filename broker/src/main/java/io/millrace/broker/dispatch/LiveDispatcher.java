package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Unsubscribe;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatcher of a topic that stores nothing does: an entry goes to the consumer whose it is, if that takes it now,
 * and otherwise is dropped and counted. Nothing is ever sent again. Owned by the island.
 */
final class LiveDispatcher implements Membership.Owner {
    final Membership members;

    private final SubscriptionSettings settings;
    private final RoundClock clock;
    private final IslandContext context;
    private final Runnable deserted;
    private boolean ending;

    LiveDispatcher(SubscriptionSettings settings, RoundClock clock, IslandContext context, Runnable deserted) {
        this.settings = settings;
        this.clock = clock;
        this.context = context;
        this.deserted = deserted;
        members = new Membership(settings, new PendingAcks(), context, this, clock);
    }

    /** Sends an entry, or drops it. */
    void take(LiveEntry entry) {
        Selector selector = members.selector();
        Consumer taker = selector.pick(entry.header());
        if (taker == null) {
            drop(selector, entry);
            return;
        }
        selector.sent(entry.header(), taker);
        taker.charge(Math.max(1, entry.header().messageCount()));
        taker.bytesOut += entry.data().length;
        members.consumers.delivered(taker);
        taker.link.deliver(new Entry(entry.position(), entry.header(), Unpooled.wrappedBuffer(entry.data())), 0, null);
        context.requestTurn();
    }

    private void drop(Selector selector, LiveEntry entry) {
        members.consumers.dropped(Math.max(1, entry.header().messageCount()));
        Consumer missing = selector.missedBy(entry.header());
        if (missing != null) {
            missing.dropped++;
        }
    }

    /** Ends a run of entries. */
    void turn() {
        clock.next();
        members.consumers.flush();
        clock.next();
    }

    @Override
    public void detach(ConsumerLink link) {
        Consumer consumer = members.consumers.find(link);
        if (consumer == null) {
            return;
        }
        members.remove(consumer);
        if (members.consumers.isEmpty()) {
            deserted.run();
            endIfAbandoned();
        }
    }

    void flow(ConsumerLink link, int permits) {
        Consumer consumer = members.consumers.find(link);
        if (consumer != null && permits > 0) {
            consumer.flow(permits);
            consumer.activity.flow(clock.millis());
            context.requestTurn();
        }
    }

    /** There is nothing to remember but when it came, so it is done. */
    void ack(Ack ack) {
        CompletableFuture<Void> receipt = ack.receipt();
        Consumer consumer = members.consumers.find(ack.link());
        if (consumer != null) {
            consumer.activity.acked(clock.millis());
            context.requestTurn();
        }
        if (receipt != null) {
            receipt.complete(null);
        }
    }

    DispatcherStats stats() {
        List<DispatcherStats.ConsumerStats> each = new ArrayList<>();
        Map<Consumer, List<KeySharedOptions.HashRange>> ranges =
                members.selector().ranges();
        for (Consumer consumer : members.consumers.all()) {
            each.add(members.consumers.stats(consumer, ranges.getOrDefault(consumer, List.of())));
        }
        Consumer active = members.selector().active();
        return new DispatcherStats(
                members.selector().type(),
                Position.BEFORE_ALL,
                0,
                0,
                0,
                0,
                0,
                0,
                members.consumers.sent(),
                members.consumers.rates(),
                false,
                active == null ? "" : active.options.name(),
                true,
                DispatcherStats.Times.NONE,
                each);
    }

    boolean isEnding() {
        return ending;
    }

    /** Ends one that lives only as long as its consumers. */
    void endIfAbandoned() {
        if (!settings.durable() && members.consumers.isEmpty() && !ending) {
            end(CloseReason.UNSUBSCRIBED, null);
        }
    }

    void unsubscribe(Unsubscribe request) {
        ConsumerLink asking = request.link();
        Consumer own = asking == null ? null : members.consumers.find(asking);
        int others = members.consumers.count() - (own == null ? 0 : 1);
        if (others > 0 && !request.force()) {
            request.reply().completeExceptionally(Ending.othersAreConnected(settings.name(), others));
            return;
        }
        end(CloseReason.UNSUBSCRIBED, asking);
        request.reply().complete(null);
    }

    /** Closes the consumers, but for the one that knows it, and ends. */
    void end(CloseReason reason, @Nullable ConsumerLink notTold) {
        ending = true;
        List<Consumer> closed = members.consumers.all();
        members.clear();
        for (Consumer consumer : closed) {
            if (consumer.link != notTold) {
                consumer.link.closed(reason);
            }
        }
        context.end();
    }

    @Override
    public void giveBack(Consumer consumer) {
        // It holds nothing: what was sent is gone.
    }

    @Override
    public void filterChanges() {
        // As with Pulsar, ranges of one consumer count where entries are stored.
    }

    @Override
    public void typeChanged(SubscriptionType type) {
        // Every type drops alike.
    }

    /** What it was sent is forgotten at once, so nothing is unacknowledged. */
    @Override
    public int maxUnacked(SubscriptionType type) {
        return 0;
    }
}
