package io.millrace.broker.model;

import io.millrace.wire.CommandSubscribe.SubType;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** What a subscription owes its consumers: of each message, whether it must come again, may, or must not. */
final class SubscriptionModel {
    /** Whether there is such a subscription. */
    enum Existence {
        NO,
        MAYBE,
        YES
    }

    /** What a subscription owes of one entry. */
    enum Debt {
        OWED,
        MAYBE,
        GONE
    }

    /** The messages of an entry that must come again and those that may; all others must not. */
    static final class Slots {
        final BitSet owed = new BitSet();
        final BitSet maybe = new BitSet();

        boolean isGone() {
            return owed.isEmpty() && maybe.isEmpty();
        }

        void set(int messages, Debt debt) {
            owed.clear();
            maybe.clear();
            if (debt != Debt.GONE) {
                (debt == Debt.OWED ? owed : maybe).set(0, messages);
            }
        }

        /** It is as it was, or like that. */
        void mix(int messages, Debt debt) {
            BitSet other = new BitSet();
            other.set(0, messages);
            if (debt == Debt.OWED) {
                other.andNot(owed);
            } else if (debt == Debt.GONE) {
                other.and(owed);
            }
            maybe.or(other);
            owed.andNot(other);
        }
    }

    /** Who has an entry, and which messages came with it. */
    record Holding(long consumerId, BitSet messages) {}

    final TopicModel topic;
    final String name;
    Existence existence = Existence.NO;
    SubType type = SubType.Exclusive;
    /** What was delivered and neither acknowledged as a whole nor given back. */
    final Map<Published, Holding> held = new LinkedHashMap<>();
    /** Somebody had entries in this life of the broker before they were due. */
    boolean delaysNothing;
    /** Something was given back while entries were on their way: which are held is not known any more. */
    boolean loose;
    /** Entries were given back one by one, so those of a key do not keep their order. */
    boolean keysMixed;
    /** There was a second consumer, so entries of a key may wait until another one has acknowledged those before. */
    boolean crowded;
    /** Changes with every move, so that the receipt of an earlier acknowledgement is not counted. */
    int moves;
    /** A consumer is about to attach. */
    boolean attaching;
    /** Its connection broke while it had several consumers, which the broker may find out one after another: a newcomer may be refused until then. */
    boolean deserted;
    /** What the subscription owes when the move that is under way is done; null if there is none. */
    Function<Published, Debt> moving;
    /** Whether that move is its end. */
    boolean ends;

    private final Map<Published, Slots> slots = new HashMap<>();

    SubscriptionModel(TopicModel topic, String name) {
        this.topic = topic;
        this.name = name;
    }

    void sent(Published published) {
        if (existence != Existence.NO) {
            Debt debt = existence == Existence.YES && moving == null ? Debt.OWED : Debt.MAYBE;
            slots(published).set(published.messages(), debt);
        }
    }

    Slots slots(Published published) {
        return slots.computeIfAbsent(published, none -> new Slots());
    }

    boolean owes(Published published) {
        return existence == Existence.YES
                && moving == null
                && !slots(published).owed.isEmpty();
    }

    boolean sharesEntries() {
        return type == SubType.Shared || type == SubType.Key_Shared;
    }

    /** A move or the creation of the subscription is asked for. */
    void startMove(Function<Published, Debt> target) {
        moving = target;
        moves++;
    }

    /** It has happened. */
    void moved() {
        Function<Published, Debt> target = moving;
        Map<Published, Debt> debts = new HashMap<>();
        moving = null;
        topic.sent().forEach(published -> debts.put(published, target.apply(published)));
        debts.forEach((published, debt) -> slots(published).set(published.messages(), debt));
        restart();
    }

    /** It has happened or not. */
    void movedPerhaps() {
        Function<Published, Debt> target = moving;
        Map<Published, Debt> debts = new HashMap<>();
        moving = null;
        topic.sent().forEach(published -> debts.put(published, target.apply(published)));
        debts.forEach((published, debt) -> slots(published).mix(published.messages(), debt));
    }

    /** Whatever it owed, it may owe all or nothing of it. */
    void forgetDebts() {
        topic.sent().forEach(published -> slots(published).set(published.messages(), Debt.MAYBE));
    }

    void crash() {
        if (moving != null) {
            movedPerhaps();
            if (ends || existence == Existence.NO) {
                existence = Existence.MAYBE;
                forgetDebts();
            }
        }
        ends = false;
        delaysNothing = false;
        disconnected();
    }

    /** Its consumers are gone with their connection, and no answer comes any more. */
    void disconnected() {
        attaching = false;
        deserted |= crowded;
        moves++;
        restart();
    }

    /** All consumers are gone, and what they held goes to those that come. */
    void restart() {
        held.clear();
        loose = false;
        keysMixed = false;
        crowded = false;
    }

    /** A delivery, with the messages that it leaves out. */
    void delivered(Published published, long consumerId, BitSet left) {
        if (moving != null) {
            return;
        }
        Slots known = slots(published);
        for (int i = 0; i < published.messages(); i++) {
            if (left.get(i) && !known.owed.get(i) && !known.maybe.get(i)) {
                throw new ModelFailure(
                        "message " + i + " of " + published + " was acknowledged on " + this + " and comes again");
            }
            if (!left.get(i) && known.owed.get(i)) {
                throw new ModelFailure(
                        "message " + i + " of " + published + " was not acknowledged on " + this + " and is left out");
            }
        }
        if (held.put(published, new Holding(consumerId, left)) != null && !loose) {
            throw new ModelFailure(published + " comes a second time on " + this + " without reason");
        }
        requireOneOwner(published, consumerId);
        requireOrder(published);
    }

    /** No two consumers have entries of one key at once. */
    private void requireOneOwner(Published published, long consumerId) {
        if (type != SubType.Key_Shared || loose || keysMixed || published.chunk) {
            return;
        }
        held.forEach((other, holding) -> {
            if (holding.consumerId() != consumerId && !other.chunk && published.hasKeyOf(other)) {
                throw new ModelFailure("consumer " + consumerId + " gets " + published + " on " + this
                        + ", while consumer " + holding.consumerId() + " has " + other);
            }
        });
    }

    /** Entries are acknowledged, or given back: no consumer has them any more. */
    void release(long consumerId) {
        held.values().removeIf(holding -> holding.consumerId() == consumerId);
    }

    private void requireOrder(Published published) {
        boolean ordered = !loose
                && type != SubType.Shared
                && (type != SubType.Key_Shared || !(keysMixed || (crowded && published.chunk)));
        if (!ordered) {
            return;
        }
        for (Published before : topic.byPosition.headMap(published.position).values()) {
            boolean due = type != SubType.Key_Shared || isNextTo(before, published);
            if (due && owes(before) && !held.containsKey(before)) {
                throw new ModelFailure(before + " is passed over by " + published + " on " + this);
            }
        }
    }

    private static boolean isNextTo(Published before, Published published) {
        return published.hasKeyOf(before)
                && before.content.deliverAtMillis() == 0
                && published.content.deliverAtMillis() == 0;
    }

    /** A stored entry that its consumers must have and do not; null if there is none. */
    Published missing(long nowMillis) {
        for (Published published : topic.byPosition.values()) {
            boolean due = isDue(published, nowMillis) && !mayWait(published);
            if (due && owes(published) && !held.containsKey(published)) {
                return published;
            }
        }
        return null;
    }

    /** Whether another consumer may have an entry of its key, which has to be acknowledged first. */
    private boolean mayWait(Published published) {
        if (type != SubType.Key_Shared || !crowded) {
            return false;
        }
        return published.content.key() == null
                || topic.byPosition.values().stream()
                        .anyMatch(other -> published.hasKeyOf(other)
                                && (held.containsKey(other)
                                        || !slots(other).maybe.isEmpty()));
    }

    /** Whether something may be on its way that nobody has to wait for. */
    boolean isUncertain() {
        return topic.sent().stream()
                .anyMatch(published -> !held.containsKey(published)
                        && published.fate != Published.Fate.NOWHERE
                        && (!slots(published).maybe.isEmpty()
                                || published.fate == Published.Fate.UNKNOWN
                                || (owes(published) && mayWait(published))
                                || (sharesEntries() && published.content.deliverAtMillis() > 0)));
    }

    /** Whether it has to be delivered by now, if anybody takes it. */
    boolean isDue(Published published, long nowMillis) {
        return !sharesEntries() || published.content.deliverAtMillis() < nowMillis;
    }

    @Override
    public String toString() {
        return name + " (" + type + ") of " + topic;
    }
}
