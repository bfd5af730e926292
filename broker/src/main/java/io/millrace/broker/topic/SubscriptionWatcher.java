package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherWatcher;

/**
 * Passes on what happens to the dispatcher of a subscription, in that dispatcher's island.
 *
 * @param opening how many dispatchers the subscription had until then, with this one
 */
record SubscriptionWatcher(TopicMailbox topic, SubscriptionSlot subscription, int opening)
        implements DispatcherWatcher {
    @Override
    public void deserted() {
        topic.tell(new TopicCommand.Deserted(subscription, opening));
    }

    @Override
    public void changing() {
        topic.changing();
    }
}
