package io.millrace.broker.admin;

import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compaction, which there is not: who asks for it is told that it is done, as tools need, and that none has run. Whoever
 * reads a topic compacted gets every message.
 */
final class CompactionPaths {
    private static final Logger LOG = LoggerFactory.getLogger(CompactionPaths.class);
    private static final String COMPACTION = AdminApi.ROOT + "/persistent" + TopicPath.TOPIC + "/compaction";

    private final Namespaces namespaces;
    private final AtomicBoolean told = new AtomicBoolean();

    CompactionPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(
                        COMPACTION,
                        request -> Answers.json(
                                there(request).thenApply(name -> Map.of("status", "NOT_RUN", "lastError", ""))))
                .put(COMPACTION, this::trigger);
    }

    private CompletionStage<Response> trigger(Request request) {
        return Answers.done(there(request).thenAccept(name -> {
            if (told.compareAndSet(false, true)) {
                LOG.warn("The compaction of {} was asked for: it is accepted, and has no effect", name);
            }
        }));
    }

    /** The topic, if it is there. */
    private CompletionStage<TopicName> there(Request request) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        return namespaces.parts(name).thenApply(parts -> name);
    }
}
