package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.StageActorRef;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The messages to a topic's control stage: requests from outside, and answers to its own requests. */
sealed interface TopicCommand {
    /** A client's request: if the topic is unloaded meanwhile, it is sent again to the topic opened next. */
    sealed interface Request extends TopicCommand {
        CompletableFuture<?> reply();
    }

    record AttachProducer(
            ProducerLink link, ProducerOptions options, TopicRules rules, CompletableFuture<ProducerHandle> reply)
            implements Request {}

    /** A producer in the way of another was asked whether it lives; {@code wanted} is null if that one waits already. */
    record RivalAsked(@Nullable AttachProducer wanted, Producer rival, boolean lives) implements TopicCommand {}

    record ProducerGone(Producer producer) implements TopicCommand {}

    record Subscribe(SubscribeRequest request, TopicRules rules, CompletableFuture<SubscriptionHandle> reply)
            implements Request {}

    /** Who wants a subscription to be there. */
    enum Asker {
        ADMINISTRATOR,
        /** It may make one only where the topic's policy lets consumers make theirs. */
        CLIENT,
        /** Something to be done with one that there is: none is made. */
        QUESTION
    }

    record CreateSubscription(
            String subscription, NewSubscription ifNew, TopicRules rules, Asker asker, CompletableFuture<Void> reply)
            implements Request {
        /** Opens one that there is. */
        static CreateSubscription ofOneThatIsThere(String subscription, CompletableFuture<Void> reply) {
            NewSubscription ifNew = NewSubscription.at(StartAt.LATEST);
            return new CreateSubscription(subscription, ifNew, TopicRules.NONE, Asker.QUESTION, reply);
        }

        /** Null for a question. */
        @Nullable
        NewSubscription ifGone() {
            return asker == Asker.QUESTION ? null : ifNew;
        }

        void requireThere(boolean isThere) {
            if (asker == Asker.QUESTION && !isThere) {
                throw SubscriptionSlot.notFound(subscription);
            }
        }

        void requirePermitted(TopicName topic, boolean isThere) {
            if (asker == Asker.CLIENT) {
                rules.requireInitial(topic, subscription, isThere);
            }
        }
    }

    /** Replaces what users say of a subscription that there is. */
    record SetProperties(String subscription, Map<String, String> properties, CompletableFuture<Void> reply)
            implements Request {}

    /** Whether a durable subscription of that name may be made, or is there. */
    record CheckSubscription(
            String subscription, NewSubscription ifNew, TopicRules rules, CompletableFuture<Void> reply)
            implements Request {}

    record Unsubscribe(
            String subscription, StageActorRef<DispatcherCommand> dispatcher, DispatcherCommand.Unsubscribe request)
            implements TopicCommand {}

    /** Asks for what is open. */
    record Figures(CompletableFuture<TopicFigures> reply) implements Request {}

    /** Removes a subscription for an administrator; while consumers are connected to it, only by force. */
    record DeleteSubscription(String subscription, boolean force, CompletableFuture<Void> reply) implements Request {}

    /** Puts a question to the dispatcher of a subscription that there is, which is opened for it if need be. */
    record AskSubscription(
            String subscription, Function<CompletableFuture<?>, DispatcherCommand> question, CompletableFuture<?> reply)
            implements Request {}

    /** Moves a subscription that there is; one without a dispatcher gets none for that, but to go to a time or into a batch. */
    record SeekSubscription(String subscription, SeekTarget target, CompletableFuture<Void> reply) implements Request {}

    /**
     * Acknowledges everything up to and with a position on each of these subscriptions; one without a dispatcher gets none for
     * that, and one that is gone is left out. Done when that is durable.
     *
     * @param isExpiry whether subscriptions tell when it was
     */
    record Pass(Map<String, Position> last, boolean isExpiry, CompletableFuture<Void> reply) implements Request {}

    record Close(CompletableFuture<Void> reply) implements TopicCommand {}

    /** What the policies of the topic ask for. */
    sealed interface PolicyCommand extends TopicCommand {}

    /** These policies apply from now on. */
    record Apply(AppliedPolicies policies) implements PolicyCommand {}

    /** Compares the backlog with its quotas, if there are any. */
    enum CheckBacklog implements PolicyCommand {
        CHECK_BACKLOG
    }

    /** The broker closes: what is published waits for no rate any more. */
    enum LiftRate implements PolicyCommand {
        LIFT_RATE
    }

    /** The backlog was compared with its quotas; for a producer that asked, or because it was time to. */
    record BacklogMeasured(
            @Nullable AttachProducer wanted, @Nullable BacklogExcess excess) implements PolicyCommand {}

    /** A subscription has sent so much of the rate that it shares, and wants to send more. */
    record LeaseAsked(long messages, long bytes, CompletableFuture<Void> reply) implements PolicyCommand {}

    /** The consumers of all subscriptions were counted for the first that waits for that. */
    record ConsumersCounted(int count) implements PolicyCommand {}

    /** Closes it if it is idle; later requests are sent again to the topic opened next. */
    enum Unload implements TopicCommand {
        UNLOAD
    }

    /** Closes subscriptions that nobody uses, while room is short. */
    enum CloseUnused implements TopicCommand {
        CLOSE_UNUSED
    }

    /** The last consumer of a subscription has left. */
    record Deserted(SubscriptionSlot subscription, int opening) implements SubscriptionEvent {}

    /** The dispatcher of a subscription that was to be closed has something to keep. */
    record GoesOn(SubscriptionSlot subscription) implements SubscriptionEvent {}

    /** The append stage has stopped: every publish has had its answer. */
    record AppendStopped(@Nullable Throwable failure) implements TopicCommand {}

    /** An answer that concerns one subscription. */
    sealed interface SubscriptionEvent extends TopicCommand {
        SubscriptionSlot subscription();
    }

    record Opened(
            SubscriptionSlot subscription,
            TopicKeeping.@Nullable Cursor cursor,
            @Nullable Throwable failure) implements SubscriptionEvent {}

    record AttachAnswered(
            SubscriptionSlot subscription,
            Joining joining,
            StageActorRef<DispatcherCommand> dispatcher,
            @Nullable Throwable failure)
            implements SubscriptionEvent {}

    record UnsubscribeAnswered(
            SubscriptionSlot subscription, @Nullable Throwable failure) implements SubscriptionEvent {}

    record CursorDeleted(
            SubscriptionSlot subscription, @Nullable Throwable failure) implements SubscriptionEvent {}

    record DispatcherStopped(SubscriptionSlot subscription, StageActorRef<DispatcherCommand> dispatcher)
            implements SubscriptionEvent {}
}
