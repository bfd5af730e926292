package io.millrace.broker.admin;

import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** Which subscriptions topics have. */
final class SubscriptionNames {
    private SubscriptionNames() {}

    /** Those of all these topics together; of topics that are not open, the log is asked. */
    static CompletionStage<NavigableSet<String>> of(Namespaces namespaces, List<TopicName> topics) {
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
}
