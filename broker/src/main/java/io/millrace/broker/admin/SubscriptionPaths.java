package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.Position;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.SubscriptionVerbs;
import io.millrace.broker.topic.NewSubscription;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Subscriptions of topics; of a partitioned one, of all partitions together. */
final class SubscriptionPaths {
    private static final int BAD_REQUEST = 400;
    private static final int PRECONDITION_FAILED = 412;

    private final Namespaces namespaces;

    SubscriptionPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> addTo(routes, AdminApi.ROOT + '/' + name, domain));
    }

    private void addTo(Routes routes, String root, TopicName.Domain domain) {
        String topic = root + TopicPath.TOPIC;
        String one = topic + "/subscription/{subscription}";
        routes.get(
                        topic + "/subscriptions",
                        request -> Answers.json(namespaces
                                .parts(TopicPath.topic(request, domain))
                                .thenCompose(parts -> namespaces.subscriptions().names(parts))))
                .put(one, request -> create(request, domain))
                .delete(one, request -> delete(request, domain))
                .post(one + "/skip/{count}", request -> skip(request, domain))
                .post(one + "/skip_all", request -> onEach(request, domain, namespaces.subscriptions()::skipAll))
                .post(one + "/resetcursor/{time}", request -> resetToTime(request, domain))
                .post(one + "/resetcursor", request -> reset(request, domain))
                .post(one + "/expireMessages/{seconds}", request -> expire(request, domain))
                .post(one + "/expireMessages", request -> expireTo(request, domain))
                .post(topic + "/all_subscription/expireMessages/{seconds}", request -> expireAll(request, domain));
    }

    private CompletionStage<Response> create(Request request, TopicName.Domain domain) {
        if (domain == TopicName.Domain.NON_PERSISTENT) {
            throw new HttpRefusal(
                    BAD_REQUEST,
                    "a subscription is kept of a persistent topic alone: consumers bring one to the others");
        }
        String name = TopicPath.subscription(request);
        NewSubscription ifNew =
                new NewSubscription(ResetPosition.orLatest(request).start(), properties(request));
        TopicName topic = TopicPath.topic(request, domain);
        return Answers.done(namespaces
                .partitionsOf(topic, true)
                .thenCompose(made -> made == 0
                        ? namespaces.open(topic, true).thenApply(one -> made)
                        : CompletableFuture.completedFuture(made))
                .thenCompose(there -> namespaces.withParts(
                        topic, parts -> namespaces.subscriptions().create(parts, name, ifNew))));
    }

    /** What the body of a request, which may have none, says of a subscription. */
    private static Map<String, String> properties(Request request) {
        JsonNode properties =
                request.content().isEmpty() ? null : Json.tree(request).path("properties");
        return properties == null || !properties.isObject()
                ? Map.of()
                : PropertyBounds.within("a subscription", Json.texts(properties));
    }

    private CompletionStage<Response> delete(Request request, TopicName.Domain domain) {
        String name = TopicPath.subscription(request);
        boolean force = request.flag("force");
        return Answers.done(namespaces.withParts(
                TopicPath.topic(request, domain),
                parts -> namespaces.subscriptions().names(parts).thenCompose(all -> {
                    requireThere(all, name);
                    return namespaces.subscriptions().delete(parts, name, force);
                })));
    }

    private static void requireThere(NavigableSet<String> all, String name) {
        if (!all.contains(name)) {
            throw new BrokerException(ErrorKind.SUBSCRIPTION_NOT_FOUND, "Subscription not found: there is no " + name);
        }
    }

    /** Does something with a subscription of the topic, or of all its partitions. */
    private CompletionStage<Response> onEach(
            Request request, TopicName.Domain domain, Function<SubscriptionVerbs.Chosen, CompletionStage<Void>> verb) {
        String name = TopicPath.subscription(request);
        return Answers.done(namespaces
                .parts(TopicPath.topic(request, domain))
                .thenCompose(parts -> verb.apply(SubscriptionVerbs.Chosen.one(parts, name))));
    }

    /** The same of a topic that has no partitions: a position is one of one topic. */
    private CompletionStage<Response> onOne(
            Request request, TopicName.Domain domain, Function<Topic, CompletionStage<Void>> verb) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.done(namespaces.parts(name).thenCompose(parts -> {
            if (!parts.contains(name)) {
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "this is not allowed on a partitioned topic: name a partition of " + name);
            }
            return namespaces.open(name, false).thenCompose(verb);
        }));
    }

    private CompletionStage<Response> skip(Request request, TopicName.Domain domain) {
        long count = number(request, "count");
        return onOne(
                request, domain, topic -> topic.skip(TopicPath.subscription(request), new SkipTarget.Entries(count)));
    }

    private CompletionStage<Response> resetToTime(Request request, TopicName.Domain domain) {
        long time = number(request, "time");
        return onEach(request, domain, all -> namespaces.subscriptions().seek(all, new SeekTarget.ToTime(time)));
    }

    private CompletionStage<Response> reset(Request request, TopicName.Domain domain) {
        ResetPosition at = ResetPosition.of(request);
        return at.isEnd()
                ? onEach(
                        request,
                        domain,
                        all -> namespaces.subscriptions().seek(all, SeekTarget.ToPosition.of(at.position())))
                : onOne(
                        request,
                        domain,
                        topic -> at.target(topic)
                                .thenCompose(target -> topic.seek(TopicPath.subscription(request), target)));
    }

    private CompletionStage<Response> expire(Request request, TopicName.Domain domain) {
        long before = olderThan(request);
        return onEach(request, domain, all -> namespaces.subscriptions().expire(all, before));
    }

    private CompletionStage<Response> expireAll(Request request, TopicName.Domain domain) {
        long before = olderThan(request);
        return Answers.done(namespaces
                .parts(TopicPath.topic(request, domain))
                .thenCompose(parts ->
                        namespaces.subscriptions().expire(new SubscriptionVerbs.Chosen(parts, null, false), before)));
    }

    private static long olderThan(Request request) {
        return System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(number(request, "seconds"));
    }

    private CompletionStage<Response> expireTo(Request request, TopicName.Domain domain) {
        ResetPosition at = ResetPosition.of(request);
        TopicName name = TopicPath.topic(request, domain);
        if (at.partition() != (name.isPartition() ? name.partition() : -1)) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED,
                    "Invalid parameter for expire message by position, partition index of passed in message position"
                            + " doesn't match partition index for the topic: " + at.partition() + " is not that of "
                            + name);
        }
        Position upTo = at.isExcluded() ? at.position().before() : at.position();
        return onOne(
                request,
                domain,
                topic -> namespaces
                        .subscriptions()
                        .expireTo(SubscriptionVerbs.Chosen.one(List.of(name), TopicPath.subscription(request)), upTo));
    }

    /** A part of the path that is a number, not negative. */
    static long number(Request request, String part) {
        String text = request.part(part);
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new HttpRefusal(BAD_REQUEST, part + " must be a number, but is " + text, e);
        }
        throw new HttpRefusal(BAD_REQUEST, part + " must not be negative, but is " + text);
    }
}
