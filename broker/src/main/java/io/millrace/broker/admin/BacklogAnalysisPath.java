package io.millrace.broker.admin;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.Position;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.BacklogFigures;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.AnalyzeSubscriptionBacklogResult;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a subscription has not acknowledged by reading it: few at a time, as it takes reads from consumers.
 *
 * <p><b>Threads</b>: the HTTP loop begins one, whoever read last ends it. <b>Shared</b>: {@code running}, atomic. <b>Proved
 * by</b>: BacklogAnalysisTest.
 */
final class BacklogAnalysisPath {
    private static final int MAX_RUNNING = 8;

    private final Namespaces namespaces;
    private final AtomicInteger running = new AtomicInteger();

    BacklogAnalysisPath(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        TopicPath.DOMAINS.forEach((name, domain) -> routes.post(
                AdminApi.ROOT + '/' + name + TopicPath.TOPIC + "/subscription/{subscription}/analyzeBacklog",
                request -> analyze(request, domain)));
    }

    private CompletionStage<Response> analyze(Request request, TopicName.Domain domain) {
        String subscription = TopicPath.subscription(request);
        Position from = from(request);
        TopicName name = TopicPath.topic(request, domain);
        return Answers.json(namespaces.parts(name).thenCompose(parts -> {
            if (!parts.contains(name)) {
                throw new BrokerException(
                        ErrorKind.NOT_ALLOWED,
                        "this is not allowed on a partitioned topic: name a partition of " + name);
            }
            return namespaces.open(name, false).thenCompose(topic -> {
                begin();
                return topic.analyze(subscription, from)
                        .whenComplete((done, failure) -> running.decrementAndGet())
                        .thenApply(BacklogAnalysisPath::result);
            });
        }));
    }

    private void begin() {
        if (running.incrementAndGet() > MAX_RUNNING) {
            running.decrementAndGet();
            throw new BrokerException(
                    ErrorKind.TOO_MANY_REQUESTS,
                    MAX_RUNNING + " backlogs are being analysed, as many as may be at a time: try again later");
        }
    }

    /** Where to begin; null for the subscription's mark. */
    private static @Nullable Position from(Request request) {
        boolean isNamed = !request.content().isEmpty() && !Json.tree(request).isNull();
        return isNamed ? ResetPosition.of(request).position() : null;
    }

    private static AnalyzeSubscriptionBacklogResult result(BacklogFigures figures) {
        AnalyzeSubscriptionBacklogResult result = new AnalyzeSubscriptionBacklogResult();
        result.setEntries(figures.entries());
        result.setMessages(figures.messages());
        result.setFilterAcceptedEntries(figures.entries());
        result.setFilterAcceptedMessages(figures.messages());
        result.setFirstMessageId(text(figures.first()));
        result.setLastMessageId(text(figures.last()));
        result.setAborted(figures.isCutShort());
        return result;
    }

    private static @Nullable String text(@Nullable Position position) {
        return position == null ? null : position.ledgerId() + ":" + position.entryId();
    }
}
