package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The durable subscriptions of a topic that have a dispatcher though nobody uses them, and since when. It has a dispatcher
 * closed when that is due, or sooner while memory is short, so that only the cursor is left. Owned by the topic's control
 * stage.
 */
final class UnusedSubscriptions {
    /** How long one that has something to keep stays at least until it is asked again. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final TopicParts parts;
    private final TopicMailbox self;
    private final SharedRate.Timers timers;
    private final Idle<SubscriptionSlot> idle;
    private final Runnable whenDue = this::closeDue;
    private boolean isTimerSet;

    UnusedSubscriptions(TopicParts parts, TopicMailbox self, SharedRate.Timers timers) {
        this.parts = parts;
        this.self = self;
        this.timers = timers;
        idle = new Idle<>(parts.limits().unloadIdleAfter());
    }

    /** Something has happened to that subscription. A topic that stores nothing would forget it without its dispatcher. */
    void look(SubscriptionSlot subscription) {
        if (subscription.isClosable() && parts.keeping().log() != null) {
            idle.add(subscription, timers.nanoTime());
            setTimer();
        } else {
            idle.remove(subscription);
        }
    }

    /** Its dispatcher goes on, as it has something to keep. */
    void stays(SubscriptionSlot subscription) {
        idle.add(subscription, timers.nanoTime() + AGAIN.toNanos());
        setTimer();
    }

    /** Has the one that was unused for longest closed while memory is short. */
    void makeRoom() {
        SubscriptionSlot eldest = isRoomShort() ? idle.pollSince(timers.nanoTime()) : null;
        while (eldest != null && !eldest.isClosable()) {
            eldest = idle.pollSince(timers.nanoTime());
        }
        if (eldest != null) {
            close(eldest);
        }
    }

    /** The same here and in all other open topics, before one more takes room. */
    void makeRoomForOne() {
        if (isRoomShort()) {
            makeRoom();
            parts.home().closeUnused();
        }
    }

    private boolean isRoomShort() {
        return parts.memory().isNearlyShort(Kind.SUBSCRIPTIONS)
                || parts.memory().isNearlyShort(Kind.ENTRIES);
    }

    private void setTimer() {
        Duration left = idle.untilDue(timers.nanoTime());
        if (left != null && !isTimerSet) {
            isTimerSet = true;
            timers.later(whenDue, left);
        }
    }

    private void closeDue() {
        isTimerSet = false;
        long now = timers.nanoTime();
        for (SubscriptionSlot due = idle.pollDue(now); due != null; due = idle.pollDue(now)) {
            if (due.isClosable()) {
                close(due);
            }
        }
        setTimer();
    }

    private void close(SubscriptionSlot subscription) {
        StageActorRef<DispatcherCommand> dispatcher = subscription.dispatcher;
        if (dispatcher == null) {
            throw new IllegalStateException("subscription " + subscription.name + " has no dispatcher to close");
        }
        subscription.state = SubscriptionSlot.State.CLOSING;
        CompletableFuture<Void> goesOn = new CompletableFuture<>();
        self.tellWhenDone(goesOn, (done, unused) -> new TopicCommand.GoesOn(subscription));
        dispatcher.tell(new DispatcherCommand.CloseUnused(isRoomShort(), goesOn));
    }
}
