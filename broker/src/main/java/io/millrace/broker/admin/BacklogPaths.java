package io.millrace.broker.admin;

import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.SubscriptionVerbs;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Subscriptions of all stored topics of a namespace, together. */
final class BacklogPaths {
    private static final String NAMESPACE = NamespacePaths.NAMESPACE;

    private final Namespaces namespaces;

    BacklogPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        for (String root : List.of(NAMESPACE, NAMESPACE + "/{bundle}")) {
            routes.post(root + "/clearBacklog", request -> clear(request, null))
                    .post(
                            root + "/clearBacklog/{subscription}",
                            request -> clear(request, TopicPath.subscription(request)))
                    .post(root + "/unsubscribe/{subscription}", this::unsubscribe);
        }
    }

    private CompletionStage<Response> clear(Request request, @Nullable String subscription) {
        return Answers.done(topics(request)
                .thenCompose(all ->
                        namespaces.subscriptions().skipAll(new SubscriptionVerbs.Chosen(all, subscription, true))));
    }

    private CompletionStage<Response> unsubscribe(Request request) {
        String subscription = TopicPath.subscription(request);
        return Answers.done(namespaces.withTopics(
                TopicPath.namespace(request), all -> namespaces.subscriptions().delete(all, subscription, false)));
    }

    private CompletionStage<List<TopicName>> topics(Request request) {
        return namespaces
                .topics(TopicPath.namespace(request))
                .thenApply(names -> names.stream().map(TopicName::parse).toList());
    }
}
