package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.RecordingConsumer.Delivered;
import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a subscription must do, written down as plainly as possible, to be compared with what it does. */
final class DispatchOracle {
    /** One connected client. */
    static final class Client {
        final RecordingConsumer consumer;
        final int priority;
        final Consumer onRing;
        long permits;
        boolean blocked;

        Client(RecordingConsumer consumer, int priority) {
            this.consumer = consumer;
            this.priority = priority;
            ConsumerOptions options = ConsumerOptions.of(0, consumer.name, SubscriptionType.KEY_SHARED);
            onRing = new Consumer(consumer, options, 0, new PendingAcks(), 0);
        }

        String name() {
            return consumer.name;
        }
    }

    private record Held(Client by, int messages) {}

    /** What was published. */
    record Stored(int messages, int keyHash, long deliverAtMillis) {}

    final SubscriptionSettings settings;
    final NavigableMap<Position, Stored> stored = new TreeMap<>();
    final NavigableSet<Position> acked = new TreeSet<>();
    final List<Client> clients = new ArrayList<>();
    final NavigableSet<Position> waiting = new TreeSet<>();
    private final NavigableSet<Position> unread = new TreeSet<>();
    private final NavigableMap<Position, Held> pending = new TreeMap<>();
    /** What a single consumer was sent, beyond what is remembered. */
    private final NavigableSet<Position> forgotten = new TreeSet<>();

    private Client forgetful;
    private final Map<Position, BitSet> left = new HashMap<>();
    private final Map<Position, Integer> counts = new HashMap<>();
    SubscriptionType type;
    private boolean blocked;
    private HashRing ring = new HashRing();
    long nowMillis;

    DispatchOracle(SubscriptionSettings settings, long nowMillis) {
        this.settings = settings;
        this.nowMillis = nowMillis;
        this.type = settings.type();
    }

    void published(Position position, Stored entry) {
        stored.put(position, entry);
        unread.add(position);
    }

    void joined(Client client) {
        Client before = active();
        clients.add(client);
        ring.add(client.onRing);
        activeMayHaveChanged(before);
    }

    void left(Client client) {
        giveBack(client);
        Client before = active();
        clients.remove(client);
        ring.remove(client.onRing);
        if (before != client) {
            activeMayHaveChanged(before);
        }
    }

    void ackedWholly(Position position) {
        if (acked.add(position)) {
            forget(position);
        }
        settleLimits();
    }

    void ackedUpTo(Position position) {
        if (type.singleActive()) {
            new ArrayList<>(stored.headMap(position, true).keySet()).forEach(this::ackedWholly);
        }
    }

    void ackedPartly(Position position, BitSet remaining) {
        if (acked.contains(position)) {
            return;
        }
        BitSet known = left.get(position);
        BitSet merged = (BitSet) remaining.clone();
        if (known != null) {
            merged.and(known);
        }
        if (merged.isEmpty()) {
            ackedWholly(position);
            return;
        }
        left.put(position, merged);
        pending.computeIfPresent(
                position, (same, held) -> new Held(held.by(), Math.min(held.messages(), merged.cardinality())));
        settleLimits();
    }

    void redelivered(Client client, List<Position> positions) {
        if (positions.isEmpty() || type.singleActive()) {
            giveBack(client);
        } else {
            positions.forEach(position -> giveBack(client, position));
            client.blocked = client.blocked && unacked(client) >= maxUnackedPerConsumer();
        }
        settleLimits();
    }

    /** Everything before the position counts as acknowledged, and nothing from there on. */
    void movedTo(Position position) {
        clients.clear();
        ring = new HashRing();
        blocked = false;
        pending.clear();
        waiting.clear();
        forgotten.clear();
        counts.clear();
        left.clear();
        acked.clear();
        acked.addAll(stored.headMap(position, false).keySet());
        unread.clear();
        unread.addAll(stored.tailMap(position, true).keySet());
    }

    void restarted() {
        clients.clear();
        ring = new HashRing();
        blocked = false;
        unread.addAll(pending.keySet());
        unread.addAll(waiting);
        unread.addAll(forgotten);
        pending.clear();
        waiting.clear();
        forgotten.clear();
        counts.clear();
    }

    /** Checks that this delivery was due to this consumer now, and notes it. */
    void delivered(Delivered delivered) {
        Position position = delivered.position();
        Client to = clients.stream()
                .filter(client -> client.consumer == delivered.to())
                .findFirst()
                .orElseThrow(() -> new AssertionError(position + " went to a consumer that is gone"));
        assertThat(isReady(to)).as("%s may be sent to", to.name()).isTrue();
        if (type == SubscriptionType.KEY_SHARED) {
            assertThat(takerByKey(position)).as("who may have %s", position).isEqualTo(to);
        } else {
            assertThat(due()).as("the next entry").isEqualTo(position);
            assertThat(eligible()).as("whose turn it may be").contains(to);
        }
        assertThat(delivered.redeliveryCount()).as("count of %s", position).isEqualTo(counts.getOrDefault(position, 0));
        BitSet remaining = left.get(position);
        long[] words = delivered.ackSet().stream().mapToLong(Long::longValue).toArray();
        assertThat(BitSet.valueOf(words))
                .as("ack set of %s", position)
                .isEqualTo(remaining == null ? new BitSet() : remaining);
        int all = stored.get(position).messages();
        int messages = remaining == null ? all : Math.min(all, remaining.cardinality());
        waiting.remove(position);
        unread.remove(position);
        pending.put(position, new Held(to, messages));
        to.permits -= messages;
        to.blocked |= maxUnackedPerConsumer() > 0 && unacked(to) >= maxUnackedPerConsumer();
        blocked |= !type.singleActive() && unacked() >= settings.limits().maxUnackedPerSubscription();
        if (type.singleActive() && unacked() >= settings.limits().maxRemembered()) {
            forgotten.addAll(pending.keySet());
            pending.clear();
            forgetful = to;
        }
    }

    /** Whether nothing more can be sent as things stand. */
    boolean isSettled() {
        if (type == SubscriptionType.KEY_SHARED) {
            return Stream.concat(waiting.stream(), unread.stream()).allMatch(position -> takerByKey(position) == null);
        }
        return due() == null || eligible().isEmpty();
    }

    /** The consumer that must get the entry before any of its key that come later; null if it must wait. */
    private Client takerByKey(Position position) {
        if (!waiting.contains(position) && (!unread.contains(position) || blocked || isDelayed(position))) {
            return null;
        }
        int keyHash = stored.get(position).keyHash();
        boolean isBehind = Stream.concat(waiting.headSet(position).stream(), unread.headSet(position).stream())
                .anyMatch(earlier -> stored.get(earlier).keyHash() == keyHash && !isDelayed(earlier));
        Consumer owner = ring.ownerOf(keyHash);
        Client client = clients.stream()
                .filter(each -> each.onRing == owner && isReady(each))
                .findFirst()
                .orElse(null);
        boolean isDraining = pending.entrySet().stream()
                .anyMatch(held -> held.getValue().by() != client
                        && stored.get(held.getKey()).keyHash() == keyHash);
        return isBehind || isDraining ? null : client;
    }

    /** Whether its time has not come, the clock standing at a tick; what was sent once is never delayed again. */
    private boolean isDelayed(Position position) {
        return !type.singleActive()
                && !waiting.contains(position)
                && stored.get(position).deliverAtMillis() > nowMillis;
    }

    NavigableSet<Position> pendingPositions() {
        return pending.navigableKeySet();
    }

    List<Position> pendingOf(Client client) {
        return pending.entrySet().stream()
                .filter(held -> held.getValue().by() == client)
                .map(Map.Entry::getKey)
                .toList();
    }

    long unacked(Client client) {
        return pending.values().stream()
                .filter(held -> held.by() == client)
                .mapToLong(Held::messages)
                .sum();
    }

    private long unacked() {
        return pending.values().stream().mapToLong(Held::messages).sum();
    }

    private Position due() {
        Position again = waiting.isEmpty() ? null : waiting.first();
        Position fresh = blocked
                ? null
                : unread.stream()
                        .filter(position -> !isDelayed(position))
                        .findFirst()
                        .orElse(null);
        return again == null || (fresh != null && fresh.isBefore(again)) ? fresh : again;
    }

    private List<Client> eligible() {
        if (type.singleActive()) {
            Client active = active();
            return active != null && isReady(active) ? List.of(active) : List.of();
        }
        int best = clients.stream()
                .filter(this::isReady)
                .mapToInt(client -> client.priority)
                .min()
                .orElse(0);
        return clients.stream()
                .filter(client -> isReady(client) && client.priority == best)
                .toList();
    }

    private boolean isReady(Client client) {
        return client.permits > 0 && !client.blocked && client.consumer.writable;
    }

    private Client active() {
        return clients.stream()
                .min(Comparator.<Client>comparingInt(client -> type == SubscriptionType.FAILOVER ? client.priority : 0)
                        .thenComparing(Client::name))
                .orElse(null);
    }

    private void activeMayHaveChanged(Client before) {
        if (type == SubscriptionType.FAILOVER && before != null && active() != before) {
            giveBack(before);
        }
    }

    private void giveBack(Client client) {
        pendingOf(client).forEach(position -> giveBack(client, position));
        if (forgetful == client) {
            unread.addAll(waiting);
            unread.addAll(forgotten);
            waiting.clear();
            forgotten.clear();
            forgetful = null;
        }
        settleLimits();
    }

    private void giveBack(Client client, Position position) {
        Held held = pending.get(position);
        if (held != null && held.by() == client) {
            pending.remove(position);
            waiting.add(position);
            counts.merge(position, 1, Integer::sum);
        }
    }

    private void forget(Position position) {
        pending.remove(position);
        waiting.remove(position);
        unread.remove(position);
        forgotten.remove(position);
        counts.remove(position);
        left.remove(position);
    }

    private int maxUnackedPerConsumer() {
        return type.singleActive() ? 0 : settings.limits().maxUnackedPerConsumer();
    }

    private void settleLimits() {
        blocked = blocked && unacked() > settings.limits().maxUnackedPerSubscription() / 2;
        for (Client client : clients) {
            client.blocked = client.blocked && unacked(client) > maxUnackedPerConsumer() / 2;
        }
    }
}
