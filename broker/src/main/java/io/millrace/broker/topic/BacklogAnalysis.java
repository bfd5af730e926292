package io.millrace.broker.topic;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a subscription has not acknowledged, and counts it. A read follows the other, so it is never in two threads at
 * once; it ends after so many entries, or after so long, whatever there is.
 */
final class BacklogAnalysis {
    /** As many as a Pulsar looks at for one question. */
    static final int MAX_ENTRIES = 10_000;

    private static final int READ_ENTRIES = 100;
    private static final int READ_BYTES = 1 << 20;
    private static final long MAX_NANOS = Duration.ofSeconds(20).toNanos();

    private final TopicLog log;
    private final CursorState state;
    private final Position last;
    private final long start = System.nanoTime();
    private final CompletableFuture<BacklogFigures> answer = new CompletableFuture<>();
    private Position next;
    private long entries;
    private long messages;
    /** Whether there was one more entry than are counted. */
    private boolean isMore;

    private @Nullable Position first;
    private @Nullable Position latest;

    private BacklogAnalysis(TopicLog log, CursorState state, @Nullable Position from) {
        this.log = log;
        this.state = state;
        last = log.lastDurable();
        next = from == null ? log.next(state.markDelete()) : from;
    }

    /**
     * What the subscription of that state has left now.
     *
     * @param from where to begin, also before its mark; right behind the mark if null
     */
    static CompletionStage<BacklogFigures> of(TopicLog log, CursorState state, @Nullable Position from) {
        BacklogAnalysis analysis = new BacklogAnalysis(log, state, from);
        analysis.go();
        return analysis.answer;
    }

    /** Reads on until there is something to wait for. */
    private void go() {
        while (!answer.isDone()) {
            if (!isMore && next.isAfter(last)) {
                finish(false);
                return;
            }
            if (isMore || entries >= MAX_ENTRIES || System.nanoTime() - start >= MAX_NANOS) {
                finish(true);
                return;
            }
            CompletableFuture<List<Entry>> read =
                    log.read(next, READ_ENTRIES, READ_BYTES).toCompletableFuture();
            if (!read.isDone()) {
                var unused = read.whenComplete((found, failure) -> {
                    take(found, failure);
                    go();
                });
                return;
            }
            var unused = read.whenComplete(this::take);
        }
    }

    private void take(@Nullable List<Entry> found, @Nullable Throwable failure) {
        if (failure != null || found == null) {
            answer.completeExceptionally(LogRefusal.of("topic " + log.name(), failure));
            return;
        }
        for (Entry entry : found) {
            count(entry);
            entry.release();
        }
        if (found.isEmpty()) {
            finish(false);
        }
    }

    private void count(Entry entry) {
        Position position = entry.position();
        next = new Position(position.ledgerId(), position.entryId() + 1);
        boolean isLeft = !position.isAfter(state.markDelete()) || !state.isAcked(position);
        if (!isLeft || position.isAfter(last)) {
            return;
        }
        if (entries == MAX_ENTRIES) {
            isMore = true;
        } else {
            entries++;
            messages += entry.header().messageCount();
            first = first == null ? position : first;
            latest = position;
        }
    }

    private void finish(boolean isCutShort) {
        answer.complete(new BacklogFigures(entries, messages, first, latest, isCutShort));
    }
}
