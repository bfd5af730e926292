package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.inspect.ClientHandle;
import java.util.List;
import java.util.Map;

/**
 * An open topic at one moment: who publishes, and the subscriptions that are in use.
 *
 * @param waitingProducers producers that wait to be the only one
 * @param epoch how many exclusive producers it had; {@link ProducerOptions#NO_TOPIC_EPOCH} if none
 */
public record TopicFigures(
        List<ProducerFigures> producers, int waitingProducers, long epoch, List<SubscriptionFigures> subscriptions) {
    /** The same with these subscriptions. */
    TopicFigures withSubscriptions(List<SubscriptionFigures> each) {
        return new TopicFigures(producers, waitingProducers, epoch, each);
    }

    /** Whether nobody publishes, and every consumer takes any schema. */
    boolean takesAnySchema() {
        return producers.isEmpty()
                && waitingProducers == 0
                && subscriptions.stream()
                        .flatMap(subscription -> subscription.stats().consumers().stream())
                        .allMatch(DispatcherStats.ConsumerStats::takesAnySchema);
    }

    /** An attached producer. */
    public record ProducerFigures(String name, AccessMode accessMode, ClientHandle client) {}

    /**
     * A subscription in use.
     *
     * @param properties what users say of one that the log does not keep; of others, the log knows
     */
    public record SubscriptionFigures(
            String name, boolean isDurable, Map<String, String> properties, DispatcherStats stats) {}
}
