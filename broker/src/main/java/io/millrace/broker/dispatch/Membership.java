package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs to a subscription: admits consumers as its type allows, and has the type choose among them. Owned by the
 * island.
 */
final class Membership {
    final Consumers consumers;

    private final SubscriptionSettings settings;
    private final PendingAcks pending;
    private final IslandContext context;
    private final Owner owner;
    private Selector selector;

    /** The dispatcher whose consumers they are. */
    interface Owner {
        /** What the consumer holds goes to another one. */
        void giveBack(Consumer consumer);

        void detach(ConsumerLink link);

        /** Nobody is attached, and the consumer before or the next one is not for all entries. */
        void filterChanges();

        /** Consumers of that type are there from now on. */
        void typeChanged(SubscriptionType type);

        /** How many unacknowledged messages a consumer of that type may hold; 0 for any number. */
        int maxUnacked(SubscriptionType type);
    }

    Membership(
            SubscriptionSettings settings, PendingAcks pending, IslandContext context, Owner owner, RoundClock clock) {
        this.settings = settings;
        this.pending = pending;
        this.context = context;
        this.owner = owner;
        consumers = new Consumers(pending, context::nanoTime, clock);
        selector = selectorOf(settings.type());
    }

    /** Chooses the consumer that gets the next entry. */
    Selector selector() {
        return selector;
    }

    /**
     * Attaches a consumer. If only one other is in its way, it asks that one whether it is alive; {@code again} runs when
     * it has answered, or was detached.
     */
    void attach(Attach attach, Runnable again) {
        BrokerException refusal = join(attach);
        Consumer rival = refusal == null ? null : rival(attach.options(), refusal.kind());
        if (refusal == null) {
            askActive(attach.link());
        } else if (rival != null) {
            ask(rival, again);
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

    /** A consumer, which holds nothing, leaves. */
    void remove(Consumer consumer) {
        selector.left(consumer);
        consumers.remove(consumer);
        if (consumer.options.isFiltered()) {
            owner.filterChanges();
        }
    }

    /** All consumers, none of which holds anything, leave; the next one finds no trace of them. */
    void clear() {
        consumers.all().forEach(consumers::remove);
        selector = selectorOf(selector.type());
    }

    private Selector selectorOf(SubscriptionType type) {
        pending.countHashes(type == SubscriptionType.KEY_SHARED);
        return Selector.of(type, owner::giveBack, pending, settings.partition());
    }

    private @Nullable BrokerException join(Attach attach) {
        Consumer consumer;
        try {
            consumer = admit(attach);
        } catch (BrokerException refused) {
            return refused;
        }
        attach.reply().complete(null);
        selector.joined(consumer);
        context.requestTurn();
        return null;
    }

    /** A consumer that waits behind an active one takes over if that one is not alive. */
    private void askActive(ConsumerLink joined) {
        Consumer active = selector.active();
        if (active != null && active.link != joined) {
            ask(active, context::requestTurn);
        }
    }

    /** The consumer without which there would be a place for one that is refused; null if there would be none. */
    private @Nullable Consumer rival(ConsumerOptions refused, ErrorKind why) {
        return switch (why) {
            case CONSUMER_BUSY -> consumers.count() == 1 ? consumers.all().get(0) : null;
            case CONSUMER_ASSIGN -> StickyRanges.isPossible(refused) ? selector.rival(refused) : null;
            default -> null;
        };
    }

    /** Detaches a consumer that is not alive; {@code asked} runs when that is known. */
    private void ask(Consumer consumer, Runnable asked) {
        context.whenDone(consumer.link.isAlive(), (lives, failure) -> {
            if (Boolean.FALSE.equals(lives)) {
                owner.detach(consumer.link);
            }
            asked.run();
        });
    }

    private Consumer admit(Attach attach) {
        ConsumerLink link = attach.link();
        ConsumerOptions options = attach.options();
        if (consumers.find(link) != null) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "consumer is attached already: " + link.describe());
        }
        StickyRanges.requirePossible(options);
        if (consumers.count() >= settings.limits().maxConsumers()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "subscription " + settings.name() + " has its most consumers: "
                            + settings.limits().maxConsumers());
        }
        if (attach.maxConsumers() > 0 && consumers.count() >= attach.maxConsumers()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "Subscription reached max consumers limit: the policy of its topic allows " + attach.maxConsumers()
                            + " for " + settings.name());
        }
        if (options.type() != selector.type()) {
            changeType(options.type());
        }
        selector.admit(options);
        if (options.isFiltered()) {
            owner.filterChanges();
        }
        return consumers.add(link, options, owner.maxUnacked(options.type()));
    }

    private void changeType(SubscriptionType type) {
        if (!consumers.isEmpty()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_BUSY,
                    "Subscription is of different type: " + settings.name() + " is " + selector.type()
                            + " while consumers are connected, " + type + " was asked for");
        }
        selector = selectorOf(type);
        owner.typeChanged(type);
    }
}
