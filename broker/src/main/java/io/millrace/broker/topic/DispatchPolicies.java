package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatchPolicy;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.Leases;
import io.millrace.streams.stage.StageActorRef;
import java.util.Collection;

/** The policy that the subscriptions of a topic keep to, those that open later, too. Owned by the topic's control stage. */
final class DispatchPolicies {
    private final Leases leases;
    private final Collection<SubscriptionSlot> subscriptions;
    private DispatchPolicy policy = DispatchPolicy.NONE;

    /** {@code subscriptions} are those that are in use at any time. */
    DispatchPolicies(TopicMailbox self, Collection<SubscriptionSlot> subscriptions) {
        this.subscriptions = subscriptions;
        leases = (messages, bytes) -> self.ask(reply -> new TopicCommand.LeaseAsked(messages, bytes, reply));
    }

    /** Has every subscription keep to that policy. */
    void apply(DispatchPolicy wanted) {
        if (!wanted.equals(policy)) {
            policy = wanted;
            for (SubscriptionSlot subscription : subscriptions) {
                if (subscription.dispatcher != null) {
                    subscription.dispatcher.tell(new DispatcherCommand.Apply(wanted, leases));
                }
            }
        }
    }

    /** The dispatcher has been started; returns it. */
    StageActorRef<DispatcherCommand> opened(StageActorRef<DispatcherCommand> dispatcher) {
        if (!policy.equals(DispatchPolicy.NONE)) {
            dispatcher.tell(new DispatcherCommand.Apply(policy, leases));
        }
        return dispatcher;
    }

    /** How many consumers are about to join a subscription. */
    int joining() {
        return subscriptions.stream()
                .mapToInt(subscription -> subscription.waiting.size() + subscription.asked.size())
                .sum();
    }
}
