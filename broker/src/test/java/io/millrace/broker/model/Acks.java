package io.millrace.broker.model;

import io.millrace.broker.model.SubscriptionModel.Slots;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.MessageIdData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Acknowledgements of every kind; the model counts one as promised when its receipt is there. */
final class Acks {
    private static final int MAX_AT_ONCE = 6;

    private final Life life;

    Acks(Life life) {
        this.life = life;
    }

    /** Some entries, wholly or in part, each alone. */
    void individual(long consumerId, SubscriptionModel subscription) throws IOException {
        List<Published> held = new ArrayList<>(subscription.held.keySet());
        Map<Published, BitSet> acked = new HashMap<>();
        for (int i = life.random.nextInt(MAX_AT_ONCE); i >= 0 && !held.isEmpty(); i--) {
            Published published = life.pick(held);
            boolean partly = published.messages() > 1 && life.random.nextInt(4) > 0;
            acked.put(published, partly ? some(published) : all(published));
        }
        if (!acked.isEmpty()) {
            send(consumerId, subscription, CommandAck.AckType.Individual, acked);
        }
    }

    /** Everything up to a message. */
    void cumulative(long consumerId, SubscriptionModel subscription) throws IOException {
        List<Published> held = new ArrayList<>(subscription.held.keySet());
        if (held.isEmpty()) {
            return;
        }
        Published last = life.pick(held);
        Map<Published, BitSet> acked = new HashMap<>();
        BitSet ofLast = all(last);
        if (last.messages() > 1 && life.random.nextBoolean()) {
            ofLast.clear(1 + life.random.nextInt(last.messages() - 1), last.messages());
        }
        acked.put(last, ofLast);
        send(consumerId, subscription, CommandAck.AckType.Cumulative, acked);
    }

    private void send(
            long consumerId, SubscriptionModel subscription, CommandAck.AckType type, Map<Published, BitSet> named)
            throws IOException {
        Map<Published, BitSet> acked = new HashMap<>(named);
        if (type == CommandAck.AckType.Cumulative) {
            addAllBefore(subscription, named.keySet().iterator().next(), acked);
        }
        acked.forEach((published, messages) -> sent(subscription, published, messages));
        noteDeed(type, named);
        int moves = subscription.moves;
        if (life.random.nextInt(4) == 0) {
            life.world.deeds.add(Deed.ACK_WITHOUT_RECEIPT);
            life.world.note("ack without receipt " + type + " on " + subscription + " of " + named);
            life.consuming.tell(BaseCommand.Type.ACK, c -> fill(c.setAck(), consumerId, type, named));
            return;
        }
        life.consuming.ask(
                BaseCommand.Type.ACK,
                (command, requestId) ->
                        fill(command.setAck(), consumerId, type, named).setRequestId(requestId),
                answer -> {
                    if (answer.getAckResponse().hasError()) {
                        requireReason(answer.getAckResponse().getMessage(), subscription, moves);
                    } else if (subscription.moves == moves) {
                        acked.forEach((published, messages) -> promised(subscription, published, messages));
                    }
                });
        life.world.note("that is " + type + " on " + subscription + " of " + named);
    }

    private void noteDeed(CommandAck.AckType type, Map<Published, BitSet> named) {
        boolean partly = named.entrySet().stream()
                .anyMatch(e -> e.getValue().cardinality() < e.getKey().messages());
        boolean cumulative = type == CommandAck.AckType.Cumulative;
        Deed whole = cumulative ? Deed.ACK_CUMULATIVE : Deed.ACK;
        Deed ofBatch = cumulative ? Deed.ACK_CUMULATIVE_BATCH_INDEX : Deed.ACK_BATCH_INDEX;
        life.world.deeds.add(partly ? ofBatch : whole);
    }

    private void requireReason(String refusal, SubscriptionModel subscription, int moves) {
        if (subscription.moves == moves && !refusal.contains("not attached")) {
            life.world.requireFull(refusal);
        }
    }

    private static void addAllBefore(SubscriptionModel subscription, Published last, Map<Published, BitSet> acked) {
        for (Published before :
                subscription.topic.byPosition.headMap(last.position).values()) {
            acked.put(before, all(before));
        }
        for (Published unknown : subscription.topic.sent()) {
            if (unknown.fate == Published.Fate.UNKNOWN) {
                sent(subscription, unknown, all(unknown));
            }
        }
    }

    private static void sent(SubscriptionModel subscription, Published published, BitSet messages) {
        Slots slots = subscription.slots(published);
        BitSet doubtful = (BitSet) messages.clone();
        doubtful.and(slots.owed);
        slots.owed.andNot(doubtful);
        slots.maybe.or(doubtful);
        if (slots.owed.isEmpty()) {
            subscription.held.remove(published);
        }
    }

    private static void promised(SubscriptionModel subscription, Published published, BitSet messages) {
        Slots slots = subscription.slots(published);
        slots.owed.andNot(messages);
        slots.maybe.andNot(messages);
    }

    private static CommandAck fill(
            CommandAck ack, long consumerId, CommandAck.AckType type, Map<Published, BitSet> named) {
        ack.setConsumerId(consumerId).setAckType(type);
        named.forEach((published, messages) -> {
            MessageIdData id = ack.addMessageId()
                    .setLedgerId(published.position.ledgerId())
                    .setEntryId(published.position.entryId());
            if (messages.cardinality() < published.messages()) {
                BitSet left = all(published);
                left.andNot(messages);
                for (long word : left.toLongArray()) {
                    id.addAckSet(word);
                }
            }
        });
        return ack;
    }

    private BitSet some(Published published) {
        BitSet some = new BitSet();
        for (int i = 0; i < published.messages(); i++) {
            some.set(i, life.random.nextInt(3) > 0);
        }
        return some.isEmpty() ? all(published) : some;
    }

    private static BitSet all(Published published) {
        BitSet all = new BitSet();
        all.set(0, published.messages());
        return all;
    }
}
