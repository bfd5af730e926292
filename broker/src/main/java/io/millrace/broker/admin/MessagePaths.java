package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Single messages of stored topics, as they lie there: reading them changes nothing. */
final class MessagePaths {
    private static final String TOPIC = AdminApi.ROOT + "/persistent" + TopicPath.TOPIC;
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    private final Namespaces namespaces;

    MessagePaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(TOPIC + "/subscription/{subscription}/position/{count}", this::peek)
                .get(TOPIC + "/ledger/{ledger}/entry/{entry}", this::byId)
                .get(TOPIC + "/examinemessage", this::examine)
                .get(TOPIC + "/messageid/{time}", this::byTime);
    }

    private CompletionStage<Response> onTopic(Request request, Function<Topic, CompletionStage<Response>> verb) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        return namespaces.parts(name).thenCompose(parts -> {
            if (!parts.contains(name)) {
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "this is not allowed on a partitioned topic: name a partition of " + name);
            }
            return namespaces.open(name, false).thenCompose(verb);
        });
    }

    /** The message that so many of those that the subscription has not acknowledged end with, from 1. */
    private CompletionStage<Response> peek(Request request) {
        long count = Math.max(1, SubscriptionPaths.number(request, "count"));
        String subscription = TopicPath.subscription(request);
        return onTopic(
                request,
                topic -> topic.locate(subscription, count - 1)
                        .thenCombine(topic.locate(subscription, count), (before, at) -> at.isAfter(before) ? at : null)
                        .exceptionally(failure -> first(topic, count, failure))
                        .thenCompose(at -> at == null ? notFound() : read(topic, at)));
    }

    /** Where one would be that begins at the first message: of a subscription that there is not. */
    private static @Nullable Position first(Topic topic, long count, Throwable failure) {
        BrokerException refusal = Outcomes.refusal(failure);
        if (refusal == null || refusal.kind() != ErrorKind.SUBSCRIPTION_NOT_FOUND) {
            throw Outcomes.rethrown(failure);
        }
        return count > topic.entries() ? null : topic.nth(count - 1);
    }

    private static CompletionStage<Response> notFound() {
        throw new HttpRefusal(NOT_FOUND, "Message not found");
    }

    private CompletionStage<Response> byId(Request request) {
        Position position =
                new Position(SubscriptionPaths.number(request, "ledger"), SubscriptionPaths.number(request, "entry"));
        return onTopic(request, topic -> read(topic, position));
    }

    /** The message of that number, from 1, counted from the first that is kept or back from the last. */
    private CompletionStage<Response> examine(Request request) {
        String from = request.query("initialPosition", "latest");
        long number = Math.max(1, queryNumber(request, "messagePosition"));
        if (!from.equals("latest") && !from.equals("earliest")) {
            throw new HttpRefusal(PRECONDITION_FAILED, "initialPosition is latest or earliest, but is " + from);
        }
        return onTopic(request, topic -> {
            long entries = topic.entries();
            if (entries == 0) {
                throw new HttpRefusal(
                        PRECONDITION_FAILED, "Could not examine messages due to the total message is zero");
            }
            long index = from.equals("earliest") ? Math.min(number, entries) - 1 : Math.max(0, entries - number);
            return read(topic, topic.nth(index));
        });
    }

    private static long queryNumber(Request request, String name) {
        String text = request.query(name, "1");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new HttpRefusal(400, name + " must be a number, but is " + text, e);
        }
    }

    private CompletionStage<Response> byTime(Request request) {
        long time = SubscriptionPaths.number(request, "time");
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        return onTopic(
                request, topic -> topic.findByTime(time).thenApply(at -> Json.answer(TopicPaths.messageId(name, at))));
    }

    private static CompletionStage<Response> read(Topic topic, Position position) {
        return topic.entry(position).thenCompose(MessagePaths::answer);
    }

    private static CompletionStage<Response> answer(Optional<Entry> found) {
        Entry entry = found.orElseThrow(() -> new HttpRefusal(NOT_FOUND, "Message not found"));
        try {
            return CompletableFuture.completedFuture(MessageAnswer.of(entry));
        } finally {
            entry.release();
        }
    }
}
