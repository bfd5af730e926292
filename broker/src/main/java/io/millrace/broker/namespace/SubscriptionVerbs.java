package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.log.CursorChange;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What administrators do with the subscriptions of several topics: of the partitions of one, or of a namespace. It is one record
 * of the log, so that it is done for all or for none; then each topic, which stays open, does the same with its consumers. For
 * any thread.
 */
public final class SubscriptionVerbs {
    private final Namespaces namespaces;
    private final Shared shared;

    SubscriptionVerbs(Namespaces namespaces, Shared shared) {
        this.namespaces = namespaces;
        this.shared = shared;
    }

    /**
     * Subscriptions of topics.
     *
     * @param name of one; null for all that a topic has
     * @param whereThere whether a topic that is gone, or has no such subscription, is left out; else that is an error
     */
    public record Chosen(List<TopicName> topics, @Nullable String name, boolean whereThere) {
        /** The one of that name, which each of the topics has. */
        public static Chosen one(List<TopicName> topics, String name) {
            return new Chosen(topics, name, false);
        }

        private List<String> of(Topic topic, Set<String> all) {
            if (name == null) {
                return List.copyOf(all);
            }
            if (all.contains(name)) {
                return List.of(name);
            }
            if (whereThere) {
                return List.of();
            }
            throw new BrokerException(
                    ErrorKind.SUBSCRIPTION_NOT_FOUND, "Subscription not found: " + topic.name() + " has no " + name);
        }
    }

    /** Those of a topic, and a place in it. */
    private record Part(Topic topic, List<String> names, Position at) {
        @Nullable
        TopicLog log() {
            return topic.log();
        }

        /** Whether the log keeps that subscription: others are there for their consumers alone. */
        boolean keeps(String name) {
            TopicLog stored = log();
            return stored != null && stored.hasCursor(name);
        }
    }

    private interface Step {
        void add(CursorChange change, TopicLog log, String name, Position at);
    }

    /** Acknowledges up to a place on several of a topic. */
    private interface Passing {
        CompletionStage<Void> pass(Topic topic, List<String> names, Position at);
    }

    private interface Telling {
        CompletionStage<Void> tell(Topic topic, String name, Position at);
    }

    /** Makes a subscription of all these topics, parts of one, that have none of that name; refused if each has one. */
    public CompletionStage<Void> create(List<TopicName> topics, String name, NewSubscription ifNew) {
        return namespaces.makeInTurn(
                topics.get(0).whole(),
                name,
                () -> countOf(topics, name).thenCompose(have -> {
                    if (have == topics.size()) {
                        throw new BrokerException(ErrorKind.CONFLICT, "Subscription already exists for topic: " + name);
                    }
                    return createNow(topics, name, ifNew);
                }));
    }

    /** Those of all these topics together; of topics that are not open, the log is asked. */
    public CompletionStage<NavigableSet<String>> names(List<TopicName> topics) {
        NavigableSet<String> names = new TreeSet<>();
        return namespaces
                .facts(topics)
                .thenCompose(facts -> {
                    facts.stream()
                            .flatMap(each -> each.cursors().stream())
                            .map(TopicFacts.CursorFacts::name)
                            .forEach(names::add);
                    return namespaces.openTopics(topics);
                })
                .thenCompose(open -> Outcomes.inTurn(
                        List.copyOf(open.values()),
                        topic -> topic.subscriptionNames().thenAccept(names::addAll)))
                .thenApply(done -> names);
    }

    /** How many of these topics have a subscription of that name. */
    private CompletionStage<Integer> countOf(List<TopicName> topics, String name) {
        int[] have = {0};
        return Outcomes.inTurn(
                        topics,
                        topic -> names(List.of(topic)).thenAccept(names -> {
                            have[0] += names.contains(name) ? 1 : 0;
                        }))
                .thenApply(done -> have[0]);
    }

    private CompletionStage<Void> createNow(List<TopicName> topics, String name, NewSubscription ifNew) {
        if (topics.size() == 1) {
            return namespaces.open(topics.get(0), true).thenCompose(topic -> topic.createSubscription(name, ifNew));
        }
        List<Part> parts = new ArrayList<>();
        return Outcomes.inTurn(
                        topics,
                        each -> namespaces
                                .open(each, true)
                                .thenCompose(topic -> topic.requireCreatable(name, ifNew)
                                        .thenCompose(free -> start(topic, ifNew.start()))
                                        .thenAccept(at -> parts.add(new Part(topic, List.of(name), at)))))
                .thenCompose(all ->
                        store(parts, (change, stored, one, at) -> change.create(stored, one, at, ifNew.properties())));
    }

    /** Deletes a subscription wherever it is; while it has consumers, only by force, which closes them. */
    public CompletionStage<Void> delete(List<TopicName> topics, String name, boolean force) {
        Chosen chosen = new Chosen(topics, name, true);
        return gather(chosen, topic -> force ? nowhere() : unused(topic, name))
                .thenCompose(parts -> parts.size() == 1
                        ? parts.get(0).topic.deleteSubscription(name, force)
                        : change(
                                parts,
                                (change, stored, one, at) -> change.delete(stored, one),
                                // A consumer that has come meanwhile finds that it is deleted, and is closed.
                                (topic, one, at) -> topic.deleteSubscription(one, true)));
    }

    /** Replaces what users say of a subscription, which each of these topics has. */
    public CompletionStage<Void> setProperties(List<TopicName> topics, String name, Map<String, String> properties) {
        return gather(Chosen.one(topics, name), topic -> nowhere()).thenCompose(parts -> {
            if (parts.size() == 1) {
                return parts.get(0).topic.setProperties(name, properties);
            }
            if (!properties.isEmpty() && parts.stream().anyMatch(part -> part.keeps(name))) {
                shared.requireRoom();
            }
            // What the log keeps is nowhere else: telling its topic as well could mix this change with a later one.
            List<Part> unkept = parts.stream().filter(part -> !part.keeps(name)).toList();
            return store(parts, (change, stored, one, at) -> change.setProperties(stored, one, properties))
                    .thenCompose(done -> tell(unkept, (topic, one, at) -> topic.setProperties(one, properties)));
        });
    }

    /** Acknowledges everything that is there now. */
    public CompletionStage<Void> skipAll(Chosen chosen) {
        return gather(chosen, topic -> done(last(topic))).thenCompose(parts -> pass(parts, Topic::skip));
    }

    /** Acknowledges what was published before that time. */
    public CompletionStage<Void> expire(Chosen chosen, long publishedBeforeMillis) {
        return gather(chosen, topic -> topic.findByTime(publishedBeforeMillis).thenApply(topic::before))
                .thenCompose(parts -> pass(parts, Topic::expire));
    }

    /** Acknowledges what is up to and with that position, as expired. */
    public CompletionStage<Void> expireTo(Chosen chosen, Position last) {
        return gather(chosen, topic -> done(last.isAfter(last(topic)) ? last(topic) : last))
                .thenCompose(parts -> pass(parts, Topic::expire));
    }

    /** Moves subscriptions to the first message of that time, or to the earliest or latest; their consumers are closed and come back. */
    public CompletionStage<Void> seek(Chosen chosen, SeekTarget target) {
        return gather(chosen, topic -> first(topic, target))
                .thenCompose(parts -> change(
                        parts,
                        (change, stored, name, at) -> change.reset(stored, name, Dispatchers.startingAt(stored, at)),
                        (topic, name, at) -> topic.seek(name, SeekTarget.ToPosition.of(at))));
    }

    private static CompletionStage<Position> first(Topic topic, SeekTarget target) {
        return target instanceof SeekTarget.ToTime time
                ? topic.findByTime(time.publishTimeMillis())
                : done(((SeekTarget.ToPosition) target).position());
    }

    private static Position last(Topic topic) {
        TopicLog stored = topic.log();
        return stored == null ? SeekTarget.LATEST : stored.lastDurable();
    }

    private static CompletionStage<Position> start(Topic topic, StartAt start) {
        if (start instanceof StartAt.After after) {
            return done(after.within(last(topic)));
        }
        return start instanceof StartAt.Time time
                ? topic.findByTime(time.publishTimeMillis()).thenApply(topic::before)
                : done(last(topic));
    }

    private static CompletionStage<Position> unused(Topic topic, String name) {
        return topic.subscriptions().thenCompose(all -> {
            all.stream()
                    .filter(each -> each.name().equals(name) && each.consumers() > 0)
                    .forEach(each -> {
                        throw Dispatchers.othersAreConnected(name, each.consumers());
                    });
            return nowhere();
        });
    }

    private static CompletionStage<Position> nowhere() {
        return done(Position.BEFORE_ALL);
    }

    private static CompletionStage<Position> done(Position at) {
        return CompletableFuture.completedFuture(at);
    }

    private CompletionStage<List<Part>> gather(Chosen chosen, Function<Topic, CompletionStage<Position>> place) {
        List<Part> parts = new ArrayList<>();
        return Outcomes.inTurn(chosen.topics, each -> {
                    CompletionStage<Void> one = namespaces
                            .open(each, false)
                            .thenCompose(topic -> topic.subscriptionNames().thenCompose(all -> {
                                List<String> names = chosen.of(topic, all);
                                return names.isEmpty()
                                        ? CompletableFuture.<Void>completedFuture(null)
                                        : place.apply(topic).thenAccept(at -> parts.add(new Part(topic, names, at)));
                            }));
                    return chosen.whereThere ? Outcomes.unlessGone(one, ErrorKind.TOPIC_NOT_FOUND) : one;
                })
                .thenApply(all -> parts);
    }

    private CompletionStage<Void> change(List<Part> parts, Step step, Telling telling) {
        return store(parts, step).thenCompose(stored -> tell(parts, telling));
    }

    private CompletionStage<Void> pass(List<Part> parts, Passing passing) {
        return store(parts, CursorChange::pass)
                .thenCompose(stored -> onEach(parts, (topic, part) -> passing.pass(topic, part.names, part.at)));
    }

    private CompletionStage<Void> tell(List<Part> parts, Telling telling) {
        return onEach(
                parts,
                (topic, part) -> Outcomes.inTurn(
                        part.names,
                        name -> Outcomes.unlessGone(
                                telling.tell(topic, name, part.at), ErrorKind.SUBSCRIPTION_NOT_FOUND)));
    }

    /** A topic that was closed meanwhile is opened again: it may have been since before the record. */
    private CompletionStage<Void> onEach(List<Part> parts, BiFunction<Topic, Part, CompletionStage<Void>> verb) {
        return Outcomes.inTurn(
                parts,
                part -> Outcomes.unlessGone(
                        namespaces.open(part.topic.name(), false).thenCompose(topic -> verb.apply(topic, part)),
                        ErrorKind.TOPIC_NOT_FOUND));
    }

    /** One that is alone is stored by its topic. */
    private CompletionStage<Void> store(List<Part> parts, Step step) {
        CursorChange change = new CursorChange();
        for (Part part : parts) {
            TopicLog stored = part.log();
            if (stored != null) {
                part.names.forEach(name -> step.add(change, stored, name, part.at));
            }
        }
        return change.size() < 2 ? CompletableFuture.completedFuture(null) : shared.store(change);
    }
}
