package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The accounting rule of a subscription, checked entry by entry: each one that is stored is acknowledged, pending,
 * waiting to be sent, delayed, or unread, or was sent to a single consumer that has too many, and never two of these; what a consumer is charged for is what it holds, and
 * a key hash drains while another consumer than its owner holds entries of it.
 */
final class Invariants {
    private Invariants() {}

    /** Every violation, in words. */
    static List<String> violations(SubscriptionDispatcher subscription, TopicLog log) {
        List<String> found = new ArrayList<>();
        Set<Position> held = new HashSet<>();
        subscription.forward.held().forEachRemaining(held::add);
        int pending = 0;
        int waiting = 0;
        int delayed = 0;
        Position end = log.lastDurable();
        Position next = log.firstKept();
        for (; next.entryId() >= 0 && next.compareTo(end) <= 0; next = log.next(next)) {
            List<String> places = places(subscription, next, held);
            if (places.size() != 1) {
                found.add(next + " is " + places);
            }
            pending += places.contains("pending") ? 1 : 0;
            waiting += places.contains("waiting") ? 1 : 0;
            delayed += places.contains("delayed") ? 1 : 0;
        }
        if (pending != subscription.pending.size()) {
            found.add("pending acks hold " + subscription.pending.size() + " entries, stored are " + pending);
        }
        if (waiting != subscription.redelivery.size()) {
            found.add(subscription.redelivery.size() + " entries wait, stored are " + waiting);
        }
        if (delayed != subscription.delayed.size()) {
            found.add(subscription.delayed.size() + " entries are delayed, stored are " + delayed);
        }
        countByConsumer(subscription, found);
        if (subscription.selector() instanceof KeySharedDispatch keys) {
            countDraining(keys, subscription.pending, found);
        }
        return found;
    }

    private static List<String> places(SubscriptionDispatcher subscription, Position position, Set<Position> held) {
        List<String> places = new ArrayList<>(1);
        CursorState cursor = subscription.cursor;
        boolean acked = cursor.isAcked(position);
        if (acked) {
            places.add("acknowledged");
        }
        if (subscription.pending.contains(position.ledgerId(), position.entryId())) {
            places.add("pending");
        }
        if (subscription.redelivery.contains(position.ledgerId(), position.entryId())) {
            places.add("waiting");
        }
        if (subscription.delayed.contains(position.ledgerId(), position.entryId())) {
            places.add("delayed");
        }
        boolean unread = position.compareTo(subscription.forward.lastRead()) > 0 || held.contains(position);
        if (unread && !acked) {
            places.add("unread");
        }
        if (places.isEmpty()
                && subscription.consumers.all().stream().anyMatch(consumer -> consumer.options.isFiltered())) {
            places.add("passed over");
        }
        if (places.isEmpty() && subscription.hasForgotten()) {
            places.add("forgotten");
        }
        return places;
    }

    private static void countByConsumer(SubscriptionDispatcher subscription, List<String> found) {
        PendingAcks pending = subscription.pending;
        long sum = 0;
        for (Consumer consumer : subscription.consumers.all()) {
            long[] counted = {0, 0};
            pending.forEach((ledger, entry, slot, remaining, hash) -> {
                counted[0] += slot == consumer.slot ? 1 : 0;
                counted[1] += slot == consumer.slot ? remaining : 0;
            });
            if (counted[0] != pending.entries(consumer.slot) || counted[1] != pending.unacked(consumer.slot)) {
                found.add(consumer.options.name() + " holds " + counted[0] + " entries and " + counted[1]
                        + " messages, counted are " + pending.entries(consumer.slot) + " and "
                        + pending.unacked(consumer.slot));
            }
            sum += counted[1];
        }
        if (sum != pending.unacked()) {
            found.add("consumers hold " + sum + " messages, the subscription counts " + pending.unacked());
        }
    }

    private static void countDraining(KeySharedDispatch keys, PendingAcks pending, List<String> found) {
        KeyHashCounts foreign = new KeyHashCounts();
        pending.forEach((ledger, entry, slot, remaining, hash) -> {
            if (keys.isForeign(hash, slot)) {
                foreign.add(hash);
            }
        });
        for (int hash = 0; hash < KeyRanges.HASHES; hash++) {
            if (foreign.of(hash) != keys.draining(hash)) {
                found.add("of key hash " + hash + " others than its owner hold " + foreign.of(hash) + ", counted are "
                        + keys.draining(hash));
            }
        }
    }
}
