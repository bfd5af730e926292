package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.TopicName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How namespaces are deleted, alone or with their topics or as all that a tenant has. Owned by the namespace stage. */
final class NamespaceDeletions {
    private final NamespaceVerbs namespaces;
    private final Function<NamespaceName, List<TopicName>> live;
    private final NamesInChange changing;
    private final Shared shared;
    private final Island island;

    /** @param live the topics of a namespace that are open and store nothing */
    NamespaceDeletions(
            NamespaceVerbs namespaces,
            Function<NamespaceName, List<TopicName>> live,
            NamesInChange changing,
            Shared shared,
            Island island) {
        this.namespaces = namespaces;
        this.live = live;
        this.changing = changing;
        this.shared = shared;
        this.island = island;
    }

    /** Deletes a namespace without topics. */
    CompletionStage<Void> delete(NamespaceName namespace) {
        return namespaces.inTurn(List.of(namespace), () -> {
            namespaces.requireDeletable(namespace);
            if (!live.apply(namespace).isEmpty()) {
                throw NamespaceVerbs.notEmpty(namespace);
            }
            return namespaces.deleteNamespace(namespace);
        });
    }

    /** Deletes a namespace with all its topics, whose clients are closed: together, or not at all. */
    CompletionStage<Void> deleteWithTopics(NamespaceName namespace) {
        List<NamespaceName> alone = List.of(namespace);
        return namespaces.inTurn(alone, () -> {
            namespaces.requireDeletable(namespace);
            return deleteWithTopics(alone, null);
        });
    }

    /** The same of a tenant with all its namespaces. */
    CompletionStage<Void> deleteWithTopics(String tenant) {
        return namespaces
                .beginDeletion(tenant)
                .thenCompose(begun -> namespaces
                        .inTurn(
                                namespaces.namespaces(tenant),
                                () -> deleteWithTopics(namespaces.namespaces(tenant), tenant))
                        .whenComplete((done, failure) -> namespaces.endDeletion(tenant)));
    }

    private CompletionStage<Void> deleteWithTopics(List<NamespaceName> all, @Nullable String tenant) {
        for (NamespaceName namespace : all) {
            changing.requireFree(namespace);
            if (changing.isChanging(namespace) || namespaces.schemas().isBusy(namespace)) {
                throw new BrokerException(
                        ErrorKind.SERVICE_NOT_READY, "something in " + namespace + " is being changed: try again");
            }
        }
        Set<TopicName> closing = new HashSet<>();
        for (NamespaceName namespace : all) {
            changing.beginDeletion(namespace);
            closing.addAll(changing.opening(namespace));
            closing.addAll(live.apply(namespace));
            namespaces.topicsOf(namespace).stream().map(TopicName::parse).forEach(closing::add);
        }
        return island.home(shared.topics().release(List.copyOf(closing), true))
                .thenCompose(done -> {
                    List<String> topics = all.stream()
                            .flatMap(namespace -> namespaces.topicsOf(namespace).stream())
                            .toList();
                    return namespaces.deleteNow(all, topics, tenant);
                })
                .whenComplete((done, failure) -> all.forEach(changing::endDeletion));
    }
}
