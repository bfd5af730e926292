package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.Position;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.Outcomes;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Topics of both domains: what there is, and what becomes of them. */
final class TopicPaths {
    /** The property by which clients ask for a topic that shows the messages of another. */
    private static final String SHADOW_SOURCE = "PULSAR.SHADOW_SOURCE";

    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;

    private final Namespaces namespaces;

    TopicPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> addTo(routes, AdminApi.ROOT + '/' + name, domain));
    }

    private void addTo(Routes routes, String root, TopicName.Domain domain) {
        String topic = root + TopicPath.TOPIC;
        routes.get(root + TopicPath.NAMESPACE, request -> list(request, domain))
                .put(topic, request -> create(request, domain))
                .delete(topic, request -> delete(request, domain))
                .put(topic + "/unload", request -> Answers.done(namespaces.unload(TopicPath.topic(request, domain))))
                .post(topic + "/terminate", request -> terminate(request, domain))
                .post(topic + "/terminate/partitions", request -> terminatePartitions(request, domain))
                .delete(
                        topic + "/truncate",
                        request -> Answers.done(namespaces.truncate(TopicPath.topic(request, domain))))
                .get(topic + "/lastMessageId", request -> lastMessageId(request, domain));
    }

    private CompletionStage<Response> list(Request request, TopicName.Domain domain) {
        var namespace = TopicPath.namespace(request);
        return Answers.json(namespaces
                .policies(namespace)
                .thenCompose(there -> namespaces.list(new TopicListing(namespace, domain, null)))
                .thenApply(list -> list.names()));
    }

    private CompletionStage<Response> create(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        Map<String, String> properties = Json.texts(request);
        if (properties.containsKey(SHADOW_SOURCE)) {
            throw new BrokerException(ErrorKind.UNSUPPORTED, "there are no shadow topics: create it without a source");
        }
        return Answers.done(namespaces.createTopic(name, properties).exceptionally(failure -> {
            BrokerException refusal = Outcomes.refusal(failure);
            if (refusal != null && refusal.kind() == ErrorKind.NOT_ALLOWED && name.holdsPartitionMark()) {
                throw new HttpRefusal(PRECONDITION_FAILED, String.valueOf(refusal.getMessage()), failure);
            }
            throw Outcomes.rethrown(failure);
        }));
    }

    /** Of a topic without partitions; a partitioned one has a path of its own for it. */
    private CompletionStage<Response> delete(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.done(namespaces.parts(name).thenCompose(parts -> {
            requireWhole(name, parts);
            return namespaces.deleteTopic(name, request.flag("force"));
        }));
    }

    static void requireWhole(TopicName name, List<TopicName> parts) {
        if (!parts.equals(List.of(name))) {
            throw new HttpRefusal(CONFLICT, name + " is a partitioned topic: use the verb for partitioned topics");
        }
    }

    private static void requirePartitioned(TopicName name, List<TopicName> parts) {
        if (parts.contains(name)) {
            throw new BrokerException(ErrorKind.TOPIC_NOT_FOUND, "Partitioned Topic not found: " + name);
        }
    }

    private CompletionStage<Response> terminate(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(namespaces.parts(name).thenCompose(parts -> {
            if (!parts.contains(name)) {
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED, name + " is a partitioned topic: terminate its partitions");
            }
            return namespaces.terminate(name).thenApply(position -> messageId(name, position));
        }));
    }

    private CompletionStage<Response> terminatePartitions(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(namespaces
                .parts(name)
                .thenCompose(parts -> {
                    requirePartitioned(name, parts);
                    return namespaces.terminate(name);
                })
                .thenCompose(done -> namespaces.parts(name))
                .thenCompose(namespaces::facts)
                .thenApply(all -> {
                    Map<String, Object> each = new LinkedHashMap<>();
                    all.forEach(facts -> {
                        TopicName part = TopicName.parse(facts.name());
                        each.put(Integer.toString(part.partition()), messageId(part, facts.lastDurable()));
                    });
                    return each;
                }));
    }

    private CompletionStage<Response> lastMessageId(Request request, TopicName.Domain domain) {
        TopicName name = TopicPath.topic(request, domain);
        if (!name.isPersistent()) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED, "GetLastMessageId is not allowed on a non-persistent topic");
        }
        return Answers.json(namespaces
                .parts(name)
                .thenCompose(parts -> {
                    requireWhole(name, parts);
                    return namespaces.open(name, false).thenCompose(topic -> topic.lastMessage());
                })
                .thenApply(last -> {
                    Map<String, Object> id = messageId(name, last.position());
                    if (last.batchIndex() >= 0) {
                        id.put("batchIndex", last.batchIndex());
                        id.put("batchSize", last.batchIndex() + 1);
                    }
                    return id;
                }));
    }

    /** A position as Pulsar's admin client reads message ids. */
    static Map<String, Object> messageId(TopicName topic, Position position) {
        Map<String, Object> id = new LinkedHashMap<>();
        id.put("ledgerId", position.ledgerId());
        id.put("entryId", position.entryId());
        id.put("partitionIndex", topic.partition());
        return id;
    }
}
