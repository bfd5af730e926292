package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** How many bytes a topic stores after a message, estimated from the mean of its ledger; asking opens no topic. */
final class BacklogSizePath {
    private static final int BAD_REQUEST = 400;

    private final Namespaces namespaces;

    BacklogSizePath(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.put(AdminApi.ROOT + "/persistent" + TopicPath.TOPIC + "/backlogSize", this::size);
    }

    private CompletionStage<Response> size(Request request) {
        TopicName name = TopicPath.topic(request, TopicName.Domain.PERSISTENT);
        Position after = position(Json.tree(request));
        return Answers.json(namespaces
                .parts(name)
                .thenCompose(parts -> {
                    TopicPaths.requireWhole(name, parts);
                    return namespaces.facts(List.of(name));
                })
                .thenApply(all -> all.stream()
                        .findFirst()
                        .map(facts -> bytesAfter(facts, after))
                        .orElseThrow(() -> new BrokerException(
                                ErrorKind.TOPIC_NOT_FOUND, "Topic not found: it was deleted meanwhile"))));
    }

    private static Position position(JsonNode id) {
        if (!id.path("ledgerId").isIntegralNumber() || !id.path("entryId").isIntegralNumber()) {
            throw new HttpRefusal(BAD_REQUEST, "the body must be a message id with ledgerId and entryId, but is " + id);
        }
        return new Position(id.get("ledgerId").longValue(), id.get("entryId").longValue());
    }

    /** What is stored behind that position; of its own ledger, the share of the entries behind it. */
    static long bytesAfter(TopicFacts facts, Position after) {
        long bytes = 0;
        for (TopicFacts.LedgerFacts ledger : facts.ledgers()) {
            if (ledger.id() > after.ledgerId()) {
                bytes += ledger.bytes();
            } else if (ledger.id() == after.ledgerId() && ledger.entries() > 0) {
                long before = Math.max(0, Math.min(ledger.entries() - 1, after.entryId()) + 1);
                bytes += (long) ((double) ledger.bytes() / ledger.entries() * (ledger.entries() - before));
            }
        }
        return bytes;
    }
}
