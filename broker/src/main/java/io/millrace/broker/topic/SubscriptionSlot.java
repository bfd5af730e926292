package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.DispatcherStats.Sent;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.topic.TopicFigures.Consumed;
import io.millrace.broker.topic.TopicFigures.SubscriptionFigures;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One subscription, as its topic keeps it: opening, running, closing or ending, and the requests that wait. Owned by the
 * topic's control stage.
 *
 * <pre>
 *   OPENING -> RUNNING   when the cursor, or the start position, is known
 *   OPENING -> gone      when its cursor was deleted in the log meanwhile; those who wait start over
 *   RUNNING -> OPENING   when the dispatcher ended while consumers were joining
 *   RUNNING -> CLOSING   when nobody has used it for a while, or room is short
 *   CLOSING -> RUNNING   when the dispatcher has something to keep that the log does not have
 *   CLOSING -> gone      when the dispatcher has ended: its cursor is left
 *   CLOSING -> OPENING   when the dispatcher ended while somebody waited
 *   RUNNING -> ENDING    when the dispatcher agreed to an unsubscribe
 *   ENDING  -> gone      when the cursor is deleted and the dispatcher has ended; requests since then open it again
 * </pre>
 */
final class SubscriptionSlot {
    enum State {
        OPENING,
        RUNNING,
        CLOSING,
        ENDING
    }

    final String name;
    final boolean durable;
    /** What users say of one that the log does not keep; of others, the log knows. */
    Map<String, String> properties;
    /** Consumers that no dispatcher knows yet. */
    final ArrayDeque<Joining> waiting = new ArrayDeque<>(0);
    /** Requests that wait until it exists, and do not join it. */
    final ArrayDeque<TopicCommand.CreateSubscription> creating = new ArrayDeque<>(0);
    /** Consumers that the dispatcher was asked to attach and has not answered. */
    final Set<Joining> asked = new LinkedHashSet<>();

    State state = State.OPENING;

    @Nullable
    StageActorRef<DispatcherCommand> dispatcher;

    @Nullable
    CompletableFuture<Void> unsubscribing;

    /** Completed with what the dispatcher had sent before that ends. */
    CompletableFuture<Sent> sent = new CompletableFuture<>();

    boolean cursorDeleted;

    /** Whether it was there already, or has been made. */
    boolean isThere;

    /** How often a dispatcher was started for it. */
    int openings;
    /** Whether the dispatcher last said that it has no consumer. */
    boolean deserted;

    SubscriptionSlot(String name, boolean durable, Map<String, String> properties) {
        this.name = name;
        this.durable = durable;
        this.properties = properties;
    }

    /** What it takes of the broker's memory, in bytes. */
    long weight(TopicName topic) {
        return Weights.subscription(topic.full(), name) + Weights.properties(properties);
    }

    /** The type that it starts with: that of the first consumer that waits, if any. */
    SubscriptionType firstType() {
        Joining first = waiting.peek();
        return first == null
                ? SubscriptionType.SHARED
                : first.request.consumer().type();
    }

    /** It exists: answers the requests that only create it. */
    void created() {
        creating.forEach(create -> create.reply().complete(null));
        creating.clear();
    }

    /** Whether nobody uses it and no request waits: it can be opened again from its cursor. */
    boolean isIdle() {
        return durable
                && deserted
                && (state == State.RUNNING || state == State.CLOSING)
                && waiting.isEmpty()
                && creating.isEmpty()
                && asked.isEmpty()
                && unsubscribing == null;
    }

    /** Whether it can do without the dispatcher that it has. */
    boolean isClosable() {
        return isIdle() && state == State.RUNNING && dispatcher != null;
    }

    /** Where one begins that has to be made for those who wait; null if they want none made. */
    @Nullable
    NewSubscription ifNew() {
        return waiting.isEmpty()
                ? creating.element().ifGone()
                : waiting.element().request.ifNew();
    }

    /** Fails all that wait for it, to join it or only to create it. */
    void failWaiting(BrokerException failure) {
        creating.forEach(create -> create.reply().completeExceptionally(failure));
        creating.clear();
        waiting.forEach(joining -> joining.fail(failure));
        waiting.clear();
        asked.forEach(joining -> joining.fail(failure));
        asked.clear();
    }

    void failUnsubscribing(BrokerException failure) {
        if (unsubscribing != null) {
            unsubscribing.completeExceptionally(failure);
            unsubscribing = null;
        }
    }

    /** The dispatcher has ended; consumers it did not answer wait for the next one. */
    void dispatcherStopped() {
        dispatcher = null;
        waiting.addAll(asked);
        asked.clear();
    }

    /** Whether it is about to have a dispatcher, or to have none. */
    boolean isOpeningOrClosing() {
        return state == State.OPENING || state == State.CLOSING;
    }

    /** Whether it is being deleted. */
    boolean isEnding() {
        return state == State.ENDING;
    }

    static BrokerException notFound(String name) {
        return new BrokerException(ErrorKind.SUBSCRIPTION_NOT_FOUND, "Subscription not found: there is no " + name);
    }

    /** What its dispatcher says; what it had sent if that ends meanwhile. */
    CompletableFuture<Consumed> figures(StageActorRef<DispatcherCommand> asked) {
        CompletableFuture<Sent> last = sent;
        CompletableFuture<Consumed> answer = new CompletableFuture<>();
        CompletableFuture<DispatcherStats> stats = new CompletableFuture<>();
        Runnable stopWatching = asked.onTermination(() -> answer.complete(Consumed.before(last.getNow(Sent.NOTHING))));
        var unused = stats.whenComplete((figures, ending) -> {
            stopWatching.run();
            answer.complete(
                    figures == null
                            ? Consumed.before(last.getNow(Sent.NOTHING))
                            : Consumed.now(new SubscriptionFigures(name, durable, properties, figures)));
        });
        asked.tell(new DispatcherCommand.Stats(stats));
        return answer;
    }
}
