package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.DispatcherWatcher;
import java.util.concurrent.CompletableFuture;

/**
 * Passes on what happens to the dispatcher of a subscription, in that dispatcher's island.
 *
 * @param opening how many dispatchers the subscription had until then, with this one
 * @param sent completed with what it had sent when it ends
 */
record SubscriptionWatcher(
        TopicMailbox topic, SubscriptionSlot subscription, int opening, CompletableFuture<DispatcherStats.Sent> sent)
        implements DispatcherWatcher {
    @Override
    public void deserted() {
        topic.tell(new TopicCommand.Deserted(subscription, opening));
    }

    @Override
    public void ending(DispatcherStats.Sent all) {
        sent.complete(all);
    }

    @Override
    public void changing() {
        topic.changing();
    }
}
