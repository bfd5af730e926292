package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.log.CursorDelta;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Moves a subscription: logs the new position, drops what was under way, closes the consumers, then replies. */
final class Seeks {
    private final SubscriptionDispatcher subscription;
    private final TopicLog log;
    private final DispatcherContext context;
    /** Those that came while a seek was under way. */
    private final Queue<Waiting> behind = new ArrayDeque<>(0);

    private int underWay;
    /** Replies of seeks whose position is still being looked up; nothing is delivered meanwhile. */
    private final Set<Seek> searching = new LinkedHashSet<>();

    private record Waiting(Attach wanted, Consumer<Attach> attach) {
        void goOn() {
            attach.accept(wanted);
        }
    }

    Seeks(SubscriptionDispatcher subscription, TopicLog log, DispatcherContext context) {
        this.subscription = subscription;
        this.log = log;
        this.context = context;
    }

    /**
     * Has a consumer attached, or refused, once no seek is under way: when a seek is answered, its client throws away what
     * it was given before.
     */
    void whenOver(Attach wanted, Consumer<Attach> attach) {
        Waiting waiting = new Waiting(wanted, attach);
        if (underWay == 0) {
            waiting.goOn();
        } else {
            behind.add(waiting);
        }
    }

    boolean isSearching() {
        return !searching.isEmpty();
    }

    /** Whether a seek is not answered yet. */
    boolean isUnderWay() {
        return underWay > 0;
    }

    /** Starts a seek; {@code moved} runs when the subscription is at its new position. */
    void start(Seek seek, Runnable moved) {
        underWay++;
        context.whenDone(seek.reply(), (done, failure) -> answered());
        if (seek.target() instanceof SeekTarget.ToPosition target) {
            move(target.position(), target.ackSet(), seek.reply(), moved);
        } else if (seek.target() instanceof SeekTarget.ToTime target) {
            searching.add(seek);
            context.whenDone(log.findByTime(target.publishTimeMillis()), (position, failure) -> {
                searching.remove(seek);
                if (position != null) {
                    move(position, null, seek.reply(), moved);
                } else {
                    seek.reply().completeExceptionally(notFound(target, failure));
                    context.requestTurn();
                }
            });
        }
    }

    private void answered() {
        underWay--;
        while (underWay == 0 && !behind.isEmpty()) {
            behind.remove().goOn();
        }
    }

    /** Fails the seeks, and the consumers behind them, that still wait, because the dispatcher has ended. */
    void abandon() {
        Refusal refusal = new Refusal(subscription.settings.name());
        behind.forEach(waiting -> refusal.answer(waiting.wanted));
        behind.clear();
        searching.forEach(seek -> seek.reply()
                .completeExceptionally(
                        new BrokerException(ErrorKind.SERVICE_NOT_READY, "the subscription closed during the seek")));
        searching.clear();
    }

    /** The mark-delete position of a subscription that starts with the given entry, or the first one after it. */
    static Position markDeleteBefore(TopicLog log, Position first) {
        Position last = log.lastDurable();
        if (first.compareTo(last) > 0) {
            return last;
        }
        Position kept = log.firstKept();
        Position start = first.compareTo(kept) < 0 ? kept : first;
        return start.before();
    }

    private void move(Position first, long @Nullable [] ackSet, CompletableFuture<Void> reply, Runnable moved) {
        if (ackSet != null && ackSet.length > Acknowledgements.wordsOf(log, first)) {
            reply.completeExceptionally(Acknowledgements.tooLong(first, ackSet));
            return;
        }
        Position markDelete = markDeleteBefore(log, first);
        try {
            subscription.writer.reset(markDelete, reply);
        } catch (BrokerException refused) {
            reply.completeExceptionally(refused);
            return;
        }
        subscription.cursor.apply(new CursorDelta.Reset(markDelete));
        if (ackSet != null && ackSet.length > 0 && !subscription.cursor.isAcked(first)) {
            subscription.cursor.apply(new CursorDelta.AckBatch(first, ackSet));
            subscription.writer.ackedPartly(first);
        }
        List<ConsumerLink> closed =
                subscription.consumers.all().stream().map(each -> each.link).toList();
        subscription.restartAfter(markDelete);
        closed.forEach(link -> link.closed(CloseReason.SEEK));
        moved.run();
        context.requestTurn();
    }

    private static BrokerException notFound(SeekTarget.ToTime target, @Nullable Throwable failure) {
        String message = "no position found for publish time " + target.publishTimeMillis() + " ms";
        return failure == null
                ? new BrokerException(ErrorKind.PERSISTENCE_ERROR, message)
                : new BrokerException(ErrorKind.PERSISTENCE_ERROR, message + ": " + failure.getMessage(), failure);
    }
}
