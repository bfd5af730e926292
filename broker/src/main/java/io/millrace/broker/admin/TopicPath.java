package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Request;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.topic.TopicName;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** How paths name namespaces and topics. */
final class TopicPath {
    static final String NAMESPACE = "/{tenant}/{namespace}";
    static final String TOPIC = NAMESPACE + "/{topic}";

    /** The two domains as paths have them. */
    static final Map<String, TopicName.Domain> DOMAINS = Map.of(
            "persistent", TopicName.Domain.PERSISTENT,
            "non-persistent", TopicName.Domain.NON_PERSISTENT);

    private TopicPath() {}

    static NamespaceName namespace(Request request) {
        return new NamespaceName(request.part("tenant"), request.part("namespace"));
    }

    static TopicName topic(Request request, TopicName.Domain domain) {
        return new TopicName(domain, request.part("tenant"), request.part("namespace"), request.formPart("topic"));
    }

    /**
     * The subscription of a path, which Pulsar's clients encode twice and its broker decodes twice; one that is encoded once
     * is taken as it is, unless that makes sense a second time.
     */
    static String subscription(Request request) {
        String once = request.formPart("subscription");
        try {
            return URLDecoder.decode(once, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return once;
        }
    }

    /** The topic of a path that has its domain as a part. */
    static TopicName topic(Request request) {
        TopicName.Domain domain = DOMAINS.get(request.part("domain"));
        if (domain == null) {
            throw new BrokerException(
                    ErrorKind.INVALID_TOPIC_NAME,
                    "a topic is persistent or non-persistent, but this one is " + request.part("domain"));
        }
        return topic(request, domain);
    }
}
