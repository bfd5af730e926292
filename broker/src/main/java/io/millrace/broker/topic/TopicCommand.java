package io.millrace.broker.topic;

import io.millrace.broker.dispatch.Attached;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.StageActorRef;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a topic's control stage is told: requests from outside, and answers to what it asked for itself. */
sealed interface TopicCommand {
    /** What a client asks for: if the topic is unloaded meanwhile, it is asked again when that is loaded. */
    sealed interface Request extends TopicCommand {
        CompletableFuture<?> reply();
    }

    record AttachProducer(ProducerLink link, ProducerOptions options, CompletableFuture<ProducerHandle> reply)
            implements Request {}

    /** Producers in another one's way were asked whether they live; the wanted one is null if it waits already. */
    record RivalsAsked(@Nullable AttachProducer wanted, List<Producer> dead) implements TopicCommand {}

    record ProducerGone(Producer producer) implements TopicCommand {}

    record Subscribe(SubscribeRequest request, CompletableFuture<SubscriptionHandle> reply) implements Request {}

    record CreateSubscription(String subscription, StartAt start, CompletableFuture<Void> reply) implements Request {}

    record Unsubscribe(
            String subscription, StageActorRef<DispatcherCommand> dispatcher, DispatcherCommand.Unsubscribe request)
            implements TopicCommand {}

    record Close(CompletableFuture<Void> reply) implements TopicCommand {}

    /** Closes it if nobody uses it; what was asked of it afterwards is asked again of the next one. */
    enum Unload implements TopicCommand {
        UNLOAD
    }

    /** The last consumer of a subscription has left. */
    record Deserted(SubscriptionSlot subscription, int opening) implements SubscriptionEvent {}

    /** The append stage has stopped: every publish has had its answer. */
    record AppendStopped(@Nullable Throwable failure) implements TopicCommand {}

    /** An answer that concerns one subscription. */
    sealed interface SubscriptionEvent extends TopicCommand {
        SubscriptionSlot subscription();
    }

    record Opened(
            SubscriptionSlot subscription,
            @Nullable CursorLog cursor,
            @Nullable Position start,
            @Nullable Throwable failure)
            implements SubscriptionEvent {}

    record AttachAnswered(
            SubscriptionSlot subscription,
            Joining joining,
            StageActorRef<DispatcherCommand> dispatcher,
            @Nullable Attached attached,
            @Nullable Throwable failure)
            implements SubscriptionEvent {}

    record UnsubscribeAnswered(
            SubscriptionSlot subscription, @Nullable Throwable failure) implements SubscriptionEvent {}

    record CursorDeleted(
            SubscriptionSlot subscription, @Nullable Throwable failure) implements SubscriptionEvent {}

    record DispatcherStopped(SubscriptionSlot subscription, StageActorRef<DispatcherCommand> dispatcher)
            implements SubscriptionEvent {}
}
