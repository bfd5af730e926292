package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.stage.StageActorRef;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A session's end of an attached consumer; thread-safe. */
public final class SubscriptionHandle {
    private final String subscription;
    private final TopicMailbox topic;
    private final StageActorRef<DispatcherCommand> dispatcher;
    private final @Nullable TopicLog log;

    /**
     * @param log of the topic that it is attached to, which may not be the one that was asked; null if that stores nothing
     */
    SubscriptionHandle(
            String subscription,
            TopicMailbox topic,
            StageActorRef<DispatcherCommand> dispatcher,
            @Nullable TopicLog log) {
        this.subscription = subscription;
        this.topic = topic;
        this.dispatcher = dispatcher;
        this.log = log;
    }

    /** The subscription's name. */
    public String subscription() {
        return subscription;
    }

    /** Sends a command to the subscription; one that removes the subscription goes through its topic. */
    public void tell(DispatcherCommand command) {
        if (command instanceof DispatcherCommand.Unsubscribe unsubscribe) {
            topic.tell(new TopicCommand.Unsubscribe(subscription, dispatcher, unsubscribe), unsubscribe.reply());
        } else {
            dispatcher.tell(command);
            topic.changing();
        }
    }

    /** The last entry of its topic that is durable and kept; a topic that stores nothing has none. */
    public CompletionStage<LastMessage> lastMessage() {
        return LastMessage.of(log);
    }

    /** The subscription's dispatcher, to watch for its end. */
    public StageActorRef<DispatcherCommand> dispatcher() {
        return dispatcher;
    }
}
