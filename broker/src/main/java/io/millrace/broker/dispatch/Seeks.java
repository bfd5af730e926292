package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.log.CursorDelta;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves a subscription: logs the new position, drops what was under way, closes the consumers, then replies. One seek at a
 * time: what comes meanwhile and could undo it, or be undone, waits for its answer. Pulsar refuses a second seek; clients
 * hand that to their users, for whom the order in which they asked is what they wanted.
 */
final class Seeks {
    private final SubscriptionDispatcher subscription;
    private final TopicLog log;
    private final DispatcherContext context;
    private final Consumer<DispatcherCommand> again;
    /** Seeks, skips and consumers that came while a seek was under way, in order. */
    private final Queue<DispatcherCommand> behind = new ArrayDeque<>(0);

    private @Nullable Seek underWay;
    /** Whether its position is still being looked up; nothing is delivered meanwhile. */
    private boolean isSearching;

    /** {@code again} receives what had to wait. */
    Seeks(
            SubscriptionDispatcher subscription,
            TopicLog log,
            DispatcherContext context,
            Consumer<DispatcherCommand> again) {
        this.subscription = subscription;
        this.log = log;
        this.context = context;
        this.again = again;
    }

    /**
     * Keeps a command until the seek that is under way is answered; false if there is none. A consumer waits because its
     * client, when its seek is answered, throws away what it was given before.
     */
    boolean keepsWaiting(DispatcherCommand command) {
        return underWay != null && behind.add(command);
    }

    boolean isSearching() {
        return isSearching;
    }

    /** Whether a seek is not answered yet. */
    boolean isUnderWay() {
        return underWay != null;
    }

    /** Starts a seek while none is under way; {@code moved} runs when the subscription is at its new position. */
    void start(Seek seek, Runnable moved) {
        if (seek.reply().isDone()) {
            return; // nobody waits for it any more
        }
        underWay = seek;
        context.whenDone(seek.reply(), (done, failure) -> answered());
        if (seek.target() instanceof SeekTarget.ToPosition target) {
            move(target.position(), target.ackSet(), seek.reply(), moved);
        } else if (seek.target() instanceof SeekTarget.ToTime target) {
            isSearching = true;
            context.whenDone(log.findByTime(target.publishTimeMillis()), (position, failure) -> {
                if (position == null) {
                    seek.reply().completeExceptionally(notFound(target, failure));
                } else if (!seek.reply().isDone()) {
                    isSearching = false;
                    move(position, null, seek.reply(), moved);
                }
            });
        }
    }

    private void answered() {
        underWay = null;
        isSearching = false;
        context.requestTurn();
        while (underWay == null && !behind.isEmpty()) {
            again.accept(behind.remove());
        }
    }

    /** Fails the seek, and what waits for it, because the dispatcher has ended. */
    void abandon() {
        Refusal refusal = new Refusal(subscription.settings.name());
        if (underWay != null) {
            refusal.answer(underWay);
        }
        behind.forEach(refusal::answer);
        behind.clear();
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
