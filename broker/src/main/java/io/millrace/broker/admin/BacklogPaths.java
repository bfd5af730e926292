package io.millrace.broker.admin;

import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Subscriptions of all stored topics of a namespace, topic after topic. */
final class BacklogPaths {
    private static final String NAMESPACE = NamespacePaths.NAMESPACE;

    private final Namespaces namespaces;

    BacklogPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        for (String root : List.of(NAMESPACE, NAMESPACE + "/{bundle}")) {
            routes.post(root + "/clearBacklog", request -> onTopics(request, this::clear))
                    .post(
                            root + "/clearBacklog/{subscription}",
                            request -> onTopics(request, topic -> clear(topic, TopicPath.subscription(request))))
                    .post(
                            root + "/unsubscribe/{subscription}",
                            request -> onTopics(request, topic -> unsubscribe(topic, TopicPath.subscription(request))));
        }
    }

    /** A topic that is deleted meanwhile is left out. */
    private CompletionStage<Response> onTopics(Request request, Function<TopicName, CompletionStage<Void>> verb) {
        NamespaceName namespace = TopicPath.namespace(request);
        return Answers.done(namespaces
                .topics(namespace)
                .thenCompose(names -> Answers.each(
                        names,
                        name -> Answers.unlessGone(verb.apply(TopicName.parse(name)), ErrorKind.TOPIC_NOT_FOUND))));
    }

    private CompletionStage<Void> clear(TopicName name) {
        return namespaces
                .open(name, false)
                .thenCompose(topic -> topic.subscriptionNames()
                        .thenCompose(all -> Answers.each(
                                List.copyOf(all),
                                each -> Answers.unlessGone(
                                        topic.skip(each, SkipTarget.ALL), ErrorKind.SUBSCRIPTION_NOT_FOUND))));
    }

    private CompletionStage<Void> clear(TopicName name, String subscription) {
        return Answers.unlessGone(
                namespaces.open(name, false).thenCompose(topic -> topic.skip(subscription, SkipTarget.ALL)),
                ErrorKind.SUBSCRIPTION_NOT_FOUND);
    }

    private CompletionStage<Void> unsubscribe(TopicName name, String subscription) {
        return Answers.unlessGone(
                namespaces.open(name, false).thenCompose(topic -> topic.deleteSubscription(subscription, false)),
                ErrorKind.SUBSCRIPTION_NOT_FOUND);
    }
}
