package io.millrace.broker.topic;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The last durable entry of a topic.
 *
 * @param position where it is; {@link Position#BEFORE_ALL} in a topic that keeps no entry
 * @param batchIndex the index of the last message in its batch; -1 if the entry is no batch, and if there is none
 */
public record LastMessage(Position position, int batchIndex) {
    /** Of a topic that keeps no entry: it never had one, or all are acknowledged and deleted. */
    static final LastMessage NONE = new LastMessage(Position.BEFORE_ALL, -1);

    /** That of a topic that is kept there; null if it stores nothing. */
    static CompletionStage<LastMessage> of(@Nullable TopicLog log) {
        if (log == null) {
            return CompletableFuture.completedFuture(NONE);
        }
        Position last = log.lastDurable();
        if (log.lastEntryOf(last.ledgerId()) < 0) {
            return CompletableFuture.completedFuture(NONE);
        }
        Entry cached = log.cached(last);
        if (cached != null) {
            return CompletableFuture.completedFuture(described(last, List.of(cached)));
        }
        return log.read(last, 1, 1).thenApply(entries -> described(last, entries));
    }

    private static LastMessage described(Position last, List<Entry> entries) {
        LastMessage found = NONE;
        for (Entry entry : entries) {
            if (entry.position().equals(last)) {
                found = new LastMessage(last, entry.header().lastBatchIndex());
            }
            entry.release();
        }
        return found;
    }
}
