package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.streams.stage.StageActorRef;

/** A session's end of an attached consumer; thread-safe. */
public final class SubscriptionHandle {
    private final String subscription;
    private final TopicMailbox topic;
    private final StageActorRef<DispatcherCommand> dispatcher;

    SubscriptionHandle(String subscription, TopicMailbox topic, StageActorRef<DispatcherCommand> dispatcher) {
        this.subscription = subscription;
        this.topic = topic;
        this.dispatcher = dispatcher;
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

    /** The subscription's dispatcher, to watch for its end. */
    public StageActorRef<DispatcherCommand> dispatcher() {
        return dispatcher;
    }
}
