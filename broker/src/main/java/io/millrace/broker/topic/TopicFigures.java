package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.DispatcherStats.Sent;
import io.millrace.broker.inspect.ClientHandle;
import java.util.List;
import java.util.Map;

/**
 * An open topic at one moment: who publishes, and the subscriptions that are in use.
 *
 * @param waitingProducers producers that wait to be the only one
 * @param published by all producers since it is open, also by those that have left
 * @param epoch how many exclusive producers it had; {@link ProducerOptions#NO_TOPIC_EPOCH} if none
 * @param consumed by subscriptions since it is open, also by those that are gone
 */
public record TopicFigures(
        List<ProducerFigures> producers, int waitingProducers, long epoch, Published published, Consumed consumed) {
    /** What was published and taken, and how much of it a second. */
    public record Published(long messages, long bytes, double messageRate, double byteRate) {
        static final Published NOTHING = new Published(0, 0, 0, 0);

        /** Whether none of it was of late. */
        private boolean isNothing() {
            return messageRate == 0 && byteRate == 0;
        }
    }

    /** The same with what was consumed. */
    TopicFigures with(Consumed all) {
        return new TopicFigures(producers, waitingProducers, epoch, published, all);
    }

    /** The subscriptions that are in use. */
    public List<SubscriptionFigures> subscriptions() {
        return consumed.subscriptions;
    }

    /** What was sent to consumers since it is open, also by subscriptions that are not in use any more. */
    public Sent sent() {
        Sent all = consumed.before;
        for (SubscriptionFigures each : subscriptions()) {
            all = all.plus(each.stats.sent());
        }
        return all;
    }

    /** Whether nothing passes, so that what it tells does not change by itself. */
    boolean isAtRest() {
        return published.isNothing()
                && producers.stream().allMatch(each -> each.published().isNothing())
                && subscriptions().stream().map(SubscriptionFigures::stats).allMatch(DispatcherStats::isAtRest);
    }

    /** Whether nobody publishes, and every consumer takes any schema. */
    boolean takesAnySchema() {
        return producers.isEmpty()
                && waitingProducers == 0
                && subscriptions().stream()
                        .flatMap(subscription -> subscription.stats().consumers().stream())
                        .allMatch(DispatcherStats.ConsumerStats::takesAnySchema);
    }

    /** An attached producer. */
    public record ProducerFigures(String name, AccessMode accessMode, Published published, ClientHandle client) {}

    /**
     * A subscription in use.
     *
     * @param properties what users say of one that the log does not keep; of others, the log knows
     */
    public record SubscriptionFigures(
            String name, boolean isDurable, Map<String, String> properties, DispatcherStats stats) {}

    /**
     * The subscriptions in use.
     *
     * @param before what was sent by dispatchers that have ended
     */
    public record Consumed(List<SubscriptionFigures> subscriptions, Sent before) {
        static final Consumed NOTHING = before(Sent.NOTHING);

        static Consumed before(Sent sent) {
            return new Consumed(List.of(), sent);
        }

        static Consumed now(SubscriptionFigures one) {
            return new Consumed(List.of(one), Sent.NOTHING);
        }

        /** All of these together. */
        static Consumed of(List<Consumed> each) {
            List<SubscriptionFigures> subscriptions =
                    each.stream().flatMap(one -> one.subscriptions.stream()).toList();
            return new Consumed(
                    subscriptions, each.stream().map(Consumed::before).reduce(Sent.NOTHING, Sent::plus));
        }
    }
}
