package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.topic.TopicName;

/** A namespace's name: {@code tenant/local}. */
public record NamespaceName(String tenant, String local) implements Comparable<NamespaceName> {
    /** Where topics of short names are. */
    public static final NamespaceName DEFAULT = new NamespaceName("public", "default");

    /** Where Pulsar keeps topics of its own. */
    public static final NamespaceName SYSTEM = new NamespaceName("pulsar", "system");

    public NamespaceName {
        TopicName.requireEntity("tenant", tenant);
        TopicName.requireEntity("namespace", local);
    }

    /**
     * Reads {@code tenant/local}.
     *
     * @throws BrokerException of kind INVALID_TOPIC_NAME
     */
    public static NamespaceName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || text.indexOf('/', slash + 1) >= 0) {
            throw new BrokerException(
                    ErrorKind.INVALID_TOPIC_NAME, "a namespace is tenant/namespace, but this one is '" + text + "'");
        }
        return new NamespaceName(text.substring(0, slash), text.substring(slash + 1));
    }

    /** The namespace of that topic. */
    public static NamespaceName of(TopicName topic) {
        return new NamespaceName(topic.tenant(), topic.namespace());
    }

    /** Whether the topic is in it. */
    boolean holds(TopicName topic) {
        return topic.tenant().equals(tenant) && topic.namespace().equals(local);
    }

    /** What full names of its topics begin with. */
    public String topicPrefix(TopicName.Domain domain) {
        return domain.scheme() + this + '/';
    }

    @Override
    public int compareTo(NamespaceName other) {
        int tenants = tenant.compareTo(other.tenant);
        return tenants == 0 ? local.compareTo(other.local) : tenants;
    }

    @Override
    public String toString() {
        return tenant + '/' + local;
    }
}
