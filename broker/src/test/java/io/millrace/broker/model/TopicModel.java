package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was sent to a topic, where it stands, and who has subscribed. */
final class TopicModel {
    final String name;
    final List<SubscriptionModel> subscriptions = new ArrayList<>();
    final TreeMap<Position, Published> byPosition = new TreeMap<>();
    private final Map<Long, Published> byId = new HashMap<>();
    private final List<Published> sent = new ArrayList<>();

    TopicModel(String name) {
        this.name = name;
    }

    /** In the order in which they were sent. */
    List<Published> sent() {
        return sent;
    }

    Published find(long id) {
        return byId.get(id);
    }

    void send(Published published) {
        sent.add(published);
        byId.put(published.id, published);
        subscriptions.forEach(subscription -> subscription.sent(published));
    }

    /** It stands there, as a receipt or a delivery says. */
    void learn(Published published, Position position) {
        if (published.fate == Published.Fate.NOWHERE) {
            throw new ModelFailure(published + " is at " + position + " in " + name);
        }
        if (published.isStored() && !published.position.equals(position)) {
            throw new ModelFailure(published + " is also at " + position + " in " + name);
        }
        published.fate = Published.Fate.STORED;
        published.position = position;
        Published there = byPosition.put(position, published);
        if (there != null && there != published) {
            throw new ModelFailure(published + " and " + there + " share a position of " + name);
        }
        requireOrder(published);
    }

    private void requireOrder(Published published) {
        for (Published other : sent) {
            boolean same = other.isStored() && other.sender.producer().equals(published.sender.producer());
            if (same
                    && (other.id < published.id) != other.position.isBefore(published.position)
                    && other != published) {
                throw new ModelFailure(other + " and " + published + " of " + name + " stand in the wrong order");
            }
        }
    }

    /** Whether some subscription has not acknowledged all of it, nor asked to: then it cannot have been deleted. */
    boolean isKept(Published published) {
        return published.isStored() && subscriptions.stream().anyMatch(subscription -> subscription.owes(published));
    }

    /** What was in flight may be anywhere from now on. */
    void crash() {
        subscriptions.forEach(SubscriptionModel::crash);
    }

    @Override
    public String toString() {
        return name;
    }
}
