package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.TopicName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The topics that are being opened and those that a verb is under way with: one at a time, so that none sees another
 * half done; and the namespaces that are being deleted. A partition is named by its whole. Owned by the namespace stage.
 */
final class NamesInChange {
    private final Map<TopicName, Integer> opening = new HashMap<>();
    /** The same, each by its own name. */
    private final Map<TopicName, Integer> openingAlone = new HashMap<>();

    private final Set<TopicName> changing = new HashSet<>();
    private final Set<TopicName> closed = new HashSet<>();
    private final Set<NamespaceName> deleting = new HashSet<>();

    /** A client opens a topic. */
    void opening(TopicName name) {
        opening.merge(name.whole(), 1, Integer::sum);
        openingAlone.merge(name, 1, Integer::sum);
    }

    void opened(TopicName name) {
        opening.computeIfPresent(name.whole(), (whole, count) -> count == 1 ? null : count - 1);
        openingAlone.computeIfPresent(name, (same, count) -> count == 1 ? null : count - 1);
    }

    /** Whether a client is opening what has that very name. */
    boolean isOpeningAlone(TopicName name) {
        return openingAlone.containsKey(name);
    }

    /** Whether a client is opening the topic, or one of its partitions. */
    boolean isOpening(TopicName name) {
        return opening.containsKey(name.whole());
    }

    /** Whether something in the namespace is being opened or changed. */
    boolean isBusy(NamespaceName namespace) {
        return opening.keySet().stream().anyMatch(namespace::holds)
                || changing.stream().anyMatch(namespace::holds);
    }

    /** Whether a verb is under way with a topic in the namespace. */
    boolean isChanging(NamespaceName namespace) {
        return changing.stream().anyMatch(namespace::holds);
    }

    /** The topics in the namespace that are being opened; a partition is named by its whole. */
    List<TopicName> opening(NamespaceName namespace) {
        return opening.keySet().stream().filter(namespace::holds).toList();
    }

    /**
     * A verb begins.
     *
     * @param closes whether nobody may open the topic meanwhile
     * @throws BrokerException if another one is under way with it
     */
    void begin(TopicName name, boolean closes) {
        requireFree(NamespaceName.of(name));
        TopicName whole = name.whole();
        if (!changing.add(whole)) {
            throw busy(whole.full());
        }
        if (closes) {
            closed.add(whole);
        }
    }

    void end(TopicName name) {
        changing.remove(name.whole());
        closed.remove(name.whole());
    }

    /** From now on nothing in the namespace is opened, made or changed. */
    void beginDeletion(NamespaceName namespace) {
        requireFree(namespace);
        deleting.add(namespace);
    }

    void endDeletion(NamespaceName namespace) {
        deleting.remove(namespace);
    }

    /** Refuses a namespace that is being deleted. */
    void requireFree(NamespaceName namespace) {
        if (deleting.contains(namespace)) {
            throw new BrokerException(
                    ErrorKind.SERVICE_NOT_READY, "namespace " + namespace + " is being deleted: try again");
        }
    }

    /** Refuses to open a topic that is being made, deleted or closed. */
    void requireOpenable(TopicName name) {
        requireFree(NamespaceName.of(name));
        if (closed.contains(name.whole())) {
            throw busy(name.full());
        }
    }

    private static BrokerException busy(String what) {
        return new BrokerException(ErrorKind.SERVICE_NOT_READY, what + " is being changed: try again");
    }
}
