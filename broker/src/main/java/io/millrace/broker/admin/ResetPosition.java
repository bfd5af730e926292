package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.Topic;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A message id as tools send it to say where a subscription goes on.
 *
 * @param partition that the message is of; -1 if its topic is none
 * @param batchIndex of the message in its batch; -1 for the whole entry
 * @param isExcluded whether the message after it is meant
 */
record ResetPosition(Position position, int partition, int batchIndex, boolean isExcluded) {
    private static final int BAD_REQUEST = 400;

    /** From the body of a request; without one, the latest. */
    static ResetPosition orLatest(Request request) {
        ResetPosition given = given(request);
        return given == null ? new ResetPosition(SeekTarget.LATEST, -1, -1, false) : given;
    }

    /** From the body of a request that needs one. */
    static ResetPosition of(Request request) {
        ResetPosition given = given(request);
        if (given == null) {
            throw new HttpRefusal(BAD_REQUEST, "the body must be a message id, with ledgerId and entryId");
        }
        return given;
    }

    private static @Nullable ResetPosition given(Request request) {
        JsonNode body = request.content().isEmpty() ? null : Json.tree(request);
        if (body == null || body.isNull()) {
            return null;
        }
        JsonNode ledger = body.path("ledgerId");
        JsonNode entry = body.path("entryId");
        if (!ledger.canConvertToLong()
                || !entry.canConvertToLong()
                || ledger.isMissingNode()
                || entry.isMissingNode()) {
            throw new HttpRefusal(BAD_REQUEST, "a message id has ledgerId and entryId, but this is " + body);
        }
        return new ResetPosition(
                new Position(ledger.asLong(), entry.asLong()),
                body.path("partitionIndex").asInt(-1),
                body.path("batchIndex").asInt(-1),
                body.path("excluded").asBoolean(false));
    }

    /** Whether it names no message: the earliest, or the latest. */
    boolean isEnd() {
        return position.ledgerId() < 0 || position.equals(SeekTarget.LATEST);
    }

    /** Where a new subscription begins. */
    StartAt start() {
        if (position.equals(SeekTarget.LATEST)) {
            return StartAt.LATEST;
        }
        if (isEnd()) {
            return StartAt.EARLIEST;
        }
        return new StartAt.After(isExcluded ? position : position.before());
    }

    /** Where one that there is goes on, which for a message of a batch needs a look at the batch. */
    CompletionStage<SeekTarget> target(Topic topic) {
        if (isEnd() || batchIndex < 0) {
            return CompletableFuture.completedFuture(
                    SeekTarget.ToPosition.of(isExcluded && !isEnd() ? next() : position));
        }
        return topic.entry(position).thenApply(found -> {
            int messages = found.map(ResetPosition::messages).orElse(0);
            int first = isExcluded ? batchIndex + 1 : batchIndex;
            if (first >= messages) {
                return SeekTarget.ToPosition.of(next());
            }
            BitSet wanted = new BitSet(messages);
            wanted.set(first, messages);
            return new SeekTarget.ToPosition(position, first == 0 ? null : wanted.toLongArray());
        });
    }

    private Position next() {
        return new Position(position.ledgerId(), position.entryId() + 1);
    }

    private static int messages(Entry entry) {
        int messages = entry.header().messageCount();
        entry.release();
        return messages;
    }
}
