package io.millrace.broker.model;

import io.millrace.broker.model.Client.ProducerEnd;
import io.millrace.broker.model.SubscriptionModel.Existence;
import io.millrace.broker.model.SubscriptionModel.Slots;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a broker has after a start: one consumer of each subscription takes everything up to a message that is published
 * now. Whatever was uncertain is certain then.
 */
final class StartCheck {
    private static final String PRODUCER = "p0";

    private final Life life;
    private final World world;
    private final Map<TopicModel, Published> last = new HashMap<>();
    private long startMillis;

    StartCheck(Life life) {
        this.life = life;
        world = life.world;
    }

    /** Looks at what is there and writes nothing: what was seen has to stay. */
    void look() throws IOException {
        attach();
        world.awaitAnswers();
        life.flow(Life.PLENTY);
        for (SubscriptionModel subscription : world.subscriptions()) {
            life.awaitEverything(subscription, startMillis - Life.LATEST_TICK_MILLIS);
            subscription.held.keySet().forEach(published -> settleHeld(subscription, published));
        }
    }

    private void attach() throws IOException {
        startMillis = world.nowMillis();
        for (SubscriptionModel subscription : world.subscriptions()) {
            if (subscription.existence != Existence.NO) {
                life.subscribe(subscription, true);
            }
        }
    }

    void run() throws IOException {
        attach();
        for (TopicModel topic : world.topics) {
            life.openProducer(topic, PRODUCER);
        }
        world.awaitAnswers();
        life.flow(Life.PLENTY);
        for (ProducerEnd producer : life.publishing.producers.values()) {
            Set<Published> before = new HashSet<>(producer.topic.sent());
            life.publishPlain(producer);
            producer.topic.sent().stream().filter(p -> !before.contains(p)).forEach(p -> last.put(producer.topic, p));
        }
        world.awaitAnswers();
        for (SubscriptionModel subscription : world.subscriptions()) {
            if (subscription.existence == Existence.YES) {
                world.await("the last message of " + subscription, () -> {
                    world.pump();
                    return subscription.held.containsKey(last.get(subscription.topic));
                });
            }
        }
        world.subscriptions().forEach(this::requireAll);
        world.topics.forEach(this::settleFates);
        world.subscriptions().forEach(this::settleDebts);
    }

    private void requireAll(SubscriptionModel subscription) {
        Published missing = subscription.missing(startMillis - Life.LATEST_TICK_MILLIS);
        if (subscription.existence == Existence.YES && missing != null) {
            throw new ModelFailure(
                    missing + " is missing on " + subscription + ", which has " + subscription.held.keySet());
        }
    }

    /** What no subscription has that owes it was never stored; nothing behind it of the same sender was, either. */
    private void settleFates(TopicModel topic) {
        for (Published published : topic.sent()) {
            boolean absent = published.fate == Published.Fate.UNKNOWN
                    && topic.subscriptions.stream().anyMatch(s -> s.owes(published) && wouldHave(s, published));
            if (absent) {
                published.fate = Published.Fate.NOWHERE;
                requireNothingBehind(topic, published);
            }
        }
    }

    private void requireNothingBehind(TopicModel topic, Published absent) {
        List<Published> behind = topic.sent().stream()
                .filter(p -> p.id > absent.id && p.sender.equals(absent.sender) && p.isStored())
                .toList();
        if (!behind.isEmpty() && !world.wasRefusedIn(absent.sender)) {
            throw new ModelFailure(absent + " was not stored, but what was sent after it was: " + behind);
        }
    }

    private void settleDebts(SubscriptionModel subscription) {
        if (subscription.existence != Existence.YES) {
            return;
        }
        for (Published published : subscription.topic.sent()) {
            if (subscription.held.containsKey(published)) {
                settleHeld(subscription, published);
            } else if (published.fate != Published.Fate.UNKNOWN && wouldHave(subscription, published)) {
                subscription.slots(published).maybe.clear();
            }
        }
    }

    private static void settleHeld(SubscriptionModel subscription, Published published) {
        Slots slots = subscription.slots(published);
        slots.owed.or(slots.maybe);
        slots.owed.and(subscription.held.get(published).messages());
        slots.maybe.clear();
    }

    /** Whether the subscription's consumer has that message for sure, if it is there for it. */
    private boolean wouldHave(SubscriptionModel subscription, Published published) {
        return subscription.existence == Existence.YES
                && subscription.isDue(published, startMillis - Life.LATEST_TICK_MILLIS);
    }
}
