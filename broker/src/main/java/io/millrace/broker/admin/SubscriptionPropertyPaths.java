package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicFigures;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What users say of subscriptions; of a partitioned topic, of each partition. Asking opens no topic. */
final class SubscriptionPropertyPaths {
    private final Namespaces namespaces;

    SubscriptionPropertyPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> {
            String path = AdminApi.ROOT + '/' + name + TopicPath.TOPIC + "/subscription/{subscription}/properties";
            routes.get(path, request -> properties(request, domain)).put(path, request -> replace(request, domain));
        });
    }

    private CompletionStage<Response> properties(Request request, TopicName.Domain domain) {
        String subscription = TopicPath.subscription(request);
        Map<String, String> all = new TreeMap<>();
        return Answers.json(namespaces
                .parts(TopicPath.topic(request, domain))
                .thenCompose(parts -> Outcomes.inTurn(
                        parts, part -> propertiesOf(part, subscription).thenAccept(all::putAll)))
                .thenApply(done -> all));
    }

    private CompletionStage<Map<String, String>> propertiesOf(TopicName topic, String subscription) {
        return namespaces.facts(List.of(topic)).thenCompose(facts -> {
            Map<String, String> stored = stored(facts, subscription);
            return stored == null
                    ? namespaces
                            .openTopics(List.of(topic))
                            .thenCompose(open -> ofConsumers(List.copyOf(open.values()), subscription))
                    : CompletableFuture.completedFuture(stored);
        });
    }

    /** Those of a subscription in the log; null if there is none. */
    private static @Nullable Map<String, String> stored(List<TopicFacts> facts, String subscription) {
        return facts.stream()
                .flatMap(each -> each.cursors().stream())
                .filter(cursor -> cursor.name().equals(subscription))
                .map(TopicFacts.CursorFacts::properties)
                .findFirst()
                .orElse(null);
    }

    /** Those of a subscription that is there for its consumers alone. */
    private static CompletionStage<Map<String, String>> ofConsumers(List<Topic> open, String subscription) {
        if (open.isEmpty()) {
            throw notFound(subscription);
        }
        return open.get(0)
                .figures()
                .thenApply(figures -> figures.subscriptions().stream()
                        .filter(each -> each.name().equals(subscription))
                        .map(TopicFigures.SubscriptionFigures::properties)
                        .findFirst()
                        .orElseThrow(() -> notFound(subscription)));
    }

    private static BrokerException notFound(String subscription) {
        return new BrokerException(
                ErrorKind.SUBSCRIPTION_NOT_FOUND, "Subscription not found: there is no " + subscription);
    }

    private CompletionStage<Response> replace(Request request, TopicName.Domain domain) {
        String subscription = TopicPath.subscription(request);
        Map<String, String> properties = PropertyBounds.within("a subscription", Json.texts(request));
        return Answers.done(namespaces.withParts(
                TopicPath.topic(request, domain),
                parts -> namespaces.subscriptions().setProperties(parts, subscription, properties)));
    }
}
