package io.millrace.broker.admin;

import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.SubscriptionStats;
import io.millrace.wire.admin.SubscriptionStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One metric of topics or of their subscriptions, from their statistics. A topic that stores nothing has no backlog and no size,
 * as in Pulsar. What Pulsar has besides and the broker does not count is left out, as a zero would be taken for a figure. Immutable.
 */
final class TopicMetric {
    /** All of them, those of topics first. */
    static final List<TopicMetric> ALL = List.of(
            ofTopic(
                    "pulsar_subscriptions_count",
                    stats -> stats.getSubscriptions().size()),
            ofTopic("pulsar_producers_count", stats -> stats.getPublishers().size()),
            ofTopic(
                    "pulsar_consumers_count",
                    stats -> stats.getSubscriptions().values().stream()
                            .mapToInt(each -> each.getConsumers().size())
                            .sum()),
            ofTopic("pulsar_rate_in", TopicStatsImpl::getMsgRateIn),
            ofTopic("pulsar_rate_out", TopicStatsImpl::getMsgRateOut),
            ofTopic("pulsar_throughput_in", TopicStatsImpl::getMsgThroughputIn),
            ofTopic("pulsar_throughput_out", TopicStatsImpl::getMsgThroughputOut),
            ofTopic("pulsar_average_msg_size", TopicStatsImpl::getAverageMsgSize),
            ofTopic("pulsar_in_messages_total", TopicStatsImpl::getMsgInCounter),
            ofTopic("pulsar_in_bytes_total", TopicStatsImpl::getBytesInCounter),
            ofTopic("pulsar_storage_size", TopicStatsImpl::getStorageSize),
            ofTopic("pulsar_storage_logical_size", TopicStatsImpl::getStorageSize),
            ofTopic("pulsar_storage_backlog_size", TopicStatsImpl::getBacklogSize),
            ofTopic(
                    "pulsar_msg_backlog",
                    stats -> stats.getSubscriptions().values().stream()
                            .mapToLong(SubscriptionStats::getMsgBacklog)
                            .sum()),
            ofSubscription("pulsar_out_messages_total", SubscriptionStatsImpl::getMsgOutCounter),
            ofSubscription("pulsar_out_bytes_total", SubscriptionStatsImpl::getBytesOutCounter),
            ofSubscription("pulsar_subscription_back_log", SubscriptionStatsImpl::getMsgBacklog),
            ofSubscription("pulsar_subscription_back_log_no_delayed", SubscriptionStatsImpl::getMsgBacklogNoDelayed),
            ofSubscription("pulsar_subscription_delayed", SubscriptionStatsImpl::getMsgDelayed),
            ofSubscription("pulsar_subscription_in_replay", SubscriptionStatsImpl::getMsgInReplay),
            ofSubscription("pulsar_subscription_unacked_messages", SubscriptionStatsImpl::getUnackedMessages),
            ofSubscription(
                    "pulsar_subscription_blocked_on_unacked_messages",
                    stats -> stats.isBlockedSubscriptionOnUnackedMsgs() ? 1 : 0),
            ofSubscription("pulsar_subscription_msg_rate_out", SubscriptionStatsImpl::getMsgRateOut),
            ofSubscription("pulsar_subscription_msg_throughput_out", SubscriptionStatsImpl::getMsgThroughputOut),
            ofSubscription("pulsar_subscription_msg_rate_redeliver", SubscriptionStatsImpl::getMsgRateRedeliver),
            ofSubscription("pulsar_subscription_msg_ack_rate", SubscriptionStatsImpl::getMessageAckRate),
            ofSubscription(
                    "pulsar_subscription_consumers_count",
                    stats -> stats.getConsumers().size()));

    private interface Writer {
        void write(PrometheusText text, TopicName topic, TopicStatsImpl stats);
    }

    private final String name;
    private final Writer writer;

    private TopicMetric(String name, Writer writer) {
        this.name = name;
        this.writer = writer;
    }

    private static TopicMetric ofTopic(String name, ToDoubleFunction<TopicStatsImpl> value) {
        return new TopicMetric(
                name,
                (text, topic, stats) ->
                        text.sample(value.applyAsDouble(stats), "namespace", namespace(topic), "topic", topic.full()));
    }

    private static TopicMetric ofSubscription(String name, ToDoubleFunction<SubscriptionStatsImpl> value) {
        return new TopicMetric(
                name,
                (text, topic, stats) -> stats.getSubscriptions()
                        .forEach((subscription, each) -> text.sample(
                                value.applyAsDouble((SubscriptionStatsImpl) each),
                                "namespace",
                                namespace(topic),
                                "topic",
                                topic.full(),
                                "subscription",
                                subscription)));
    }

    private static String namespace(TopicName topic) {
        return topic.tenant() + '/' + topic.namespace();
    }

    String name() {
        return name;
    }

    /** Writes the samples of one topic. */
    void write(PrometheusText text, TopicName topic, TopicStatsImpl stats) {
        writer.write(text, topic, stats);
    }
}
