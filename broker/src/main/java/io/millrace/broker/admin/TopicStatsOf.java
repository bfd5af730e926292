package io.millrace.broker.admin;

import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.DispatcherStats.ConsumerStats;
import io.millrace.broker.dispatch.KeySharedOptions;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.inspect.TimeText;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.topic.TopicFigures;
import io.millrace.broker.topic.TopicFigures.ProducerFigures;
import io.millrace.broker.topic.TopicFigures.SubscriptionFigures;
import io.millrace.wire.admin.ConsumerStatsImpl;
import io.millrace.wire.admin.NonPersistentPublisherStatsImpl;
import io.millrace.wire.admin.NonPersistentSubscriptionStatsImpl;
import io.millrace.wire.admin.NonPersistentTopicStatsImpl;
import io.millrace.wire.admin.ProducerAccessMode;
import io.millrace.wire.admin.PublisherStatsImpl;
import io.millrace.wire.admin.SubscriptionStatsImpl;
import io.millrace.wire.admin.TopicStatsImpl;
import org.jspecify.annotations.Nullable;

/**
 * A topic's figures in Pulsar's shape. What is counted is since the topic was opened; rates are those of a {@link
 * io.millrace.broker.dispatch.Meter}. The
 * lists of subscriptions come from the log, which has all durable ones, and from what is open, which is nearer to now.
 */
final class TopicStatsOf {
    private static final String NOBODY = "None";

    private TopicStatsOf() {}

    /** Of a topic that is stored; the figures are null if it is not open. */
    static TopicStatsImpl stored(TopicFacts facts, @Nullable TopicFigures figures) {
        TopicStatsImpl stats = new TopicStatsImpl();
        stats.setMsgInCounter(facts.use().messagesIn());
        stats.setBytesInCounter(facts.use().bytesIn());
        stats.setStorageSize(facts.bytes());
        stats.setTopicCreationTimeStamp(facts.use().times().createdMillis());
        stats.setLastPublishTimeStamp(facts.use().times().publishedMillis());
        if (facts.use().messagesIn() > 0) {
            stats.setAverageMsgSize((double) facts.use().bytesIn() / facts.use().messagesIn());
        }
        for (TopicFacts.CursorFacts cursor : facts.cursors()) {
            stats.subscriptions.put(cursor.name(), unused(cursor));
        }
        if (figures != null) {
            fill(stats, figures);
        }
        stats.setBacklogSize(stats.subscriptions.values().stream()
                .mapToLong(each -> each.backlogSize)
                .max()
                .orElse(0));
        stats.setDeduplicationStatus("Disabled");
        stats.setOwnerBroker(ClusterPaths.CLUSTER);
        return stats;
    }

    private static void fill(TopicStatsImpl stats, TopicFigures figures) {
        figures.producers().forEach(producer -> stats.addPublisher(publisher(new PublisherStatsImpl(), producer)));
        stats.setMsgRateIn(figures.published().messageRate());
        stats.setMsgThroughputIn(figures.published().byteRate());
        stats.setMsgOutCounter(figures.sent().messages());
        stats.setBytesOutCounter(figures.sent().bytes());
        stats.setWaitingPublishers(figures.waitingProducers());
        if (figures.epoch() >= 0) {
            stats.setTopicEpoch(figures.epoch());
        }
        for (SubscriptionFigures subscription : figures.subscriptions()) {
            SubscriptionStatsImpl before = stats.subscriptions.get(subscription.name());
            SubscriptionStatsImpl now = new SubscriptionStatsImpl();
            fill(now, subscription);
            fillTimes(now, subscription.stats());
            now.setMsgBacklog(subscription.stats().backlogEntries());
            now.setSubscriptionProperties(subscription.properties());
            if (before != null) {
                now.setBacklogSize(before.backlogSize);
                now.setNonContiguousDeletedMessagesRanges(before.getNonContiguousDeletedMessagesRanges());
                now.setSubscriptionProperties(before.getSubscriptionProperties());
            }
            stats.subscriptions.put(subscription.name(), now);
            stats.setMsgRateOut(stats.getMsgRateOut() + now.msgRateOut);
            stats.setMsgThroughputOut(stats.getMsgThroughputOut() + now.msgThroughputOut);
        }
    }

    /** A subscription that nobody uses is only a cursor. */
    private static SubscriptionStatsImpl unused(TopicFacts.CursorFacts cursor) {
        SubscriptionStatsImpl stats = new SubscriptionStatsImpl();
        stats.setDurable(true);
        stats.setType(NOBODY);
        stats.setMsgBacklog(cursor.backlogEntries());
        stats.setMsgBacklogNoDelayed(cursor.backlogEntries());
        stats.setBacklogSize(cursor.backlogBytes());
        stats.setNonContiguousDeletedMessagesRanges(cursor.ackedRanges().size());
        stats.setSubscriptionProperties(cursor.properties());
        return stats;
    }

    private static void fill(SubscriptionStatsImpl stats, SubscriptionFigures subscription) {
        DispatcherStats figures = subscription.stats();
        stats.setDurable(subscription.isDurable());
        stats.setType(figures.consumers().isEmpty() ? NOBODY : figures.type().pulsarName());
        stats.setActiveConsumerName(figures.active().isEmpty() ? null : figures.active());
        stats.setMsgOutCounter(figures.sent().messages());
        stats.setBytesOutCounter(figures.sent().bytes());
        stats.msgRateOut = figures.rates().messages();
        stats.msgThroughputOut = figures.rates().bytes();
        stats.msgRateRedeliver = figures.rates().redelivered();
        stats.messageAckRate = figures.rates().acknowledged();
        stats.setUnackedMessages(figures.unackedMessages());
        stats.setBlockedSubscriptionOnUnackedMsgs(figures.isBlocked());
        stats.setMsgInReplay(figures.waitingEntries());
        stats.setMsgDelayed(figures.delayedEntries());
        stats.setMsgBacklogNoDelayed(Math.max(0, figures.backlogEntries() - figures.delayedEntries()));
        if (figures.type() == SubscriptionType.KEY_SHARED
                && !figures.consumers().isEmpty()) {
            KeySharedOptions keys = figures.consumers().get(0).keyShared(); // all agree, or they could not have joined
            stats.setKeySharedMode(keys != null && keys.sticky() ? "STICKY" : "AUTO_SPLIT");
            stats.setAllowOutOfOrderDelivery(keys != null && keys.allowOutOfOrder());
        }
        figures.consumers().forEach(consumer -> stats.consumers.add(consumer(consumer)));
    }

    /** What consumers did last is told of those that are there, as by Pulsar. */
    private static void fillTimes(SubscriptionStatsImpl stats, DispatcherStats figures) {
        stats.setLastConsumedFlowTimestamp(figures.times().flowMillis());
        stats.setLastMarkDeleteAdvancedTimestamp(figures.times().markMillis());
        stats.setLastExpireTimestamp(figures.times().expiryMillis());
        for (ConsumerStats consumer : figures.consumers()) {
            stats.setLastConsumedTimestamp(
                    Math.max(stats.getLastConsumedTimestamp(), consumer.times().lastSentMillis()));
            stats.setLastAckedTimestamp(
                    Math.max(stats.getLastAckedTimestamp(), consumer.times().lastAckMillis()));
        }
    }

    private static ConsumerStatsImpl consumer(ConsumerStats figures) {
        ConsumerStatsImpl stats = new ConsumerStatsImpl();
        ClientHandle client = figures.client();
        stats.consumerName = figures.name();
        stats.availablePermits = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, figures.permits()));
        stats.unackedMessages = (int) Math.min(Integer.MAX_VALUE, figures.unackedMessages());
        stats.blockedConsumerOnUnackedMsgs = figures.blockedOnUnacked();
        stats.msgOutCounter = figures.sent().messages();
        stats.bytesOutCounter = figures.sent().bytes();
        stats.msgRateOut = figures.rates().messages();
        stats.msgThroughputOut = figures.rates().bytes();
        stats.msgRateRedeliver = figures.rates().redelivered();
        stats.messageAckRate = figures.rates().acknowledged();
        fillTimes(stats, figures.times());
        if (!figures.keyRanges().isEmpty()) {
            stats.keyHashRangeArrays = figures.keyRanges().stream()
                    .map(range -> new int[] {range.first(), range.last()})
                    .toList();
        }
        stats.setAddress(client.address());
        stats.setConnectedSince(TimeText.of(client.openedMillis()));
        stats.setClientVersion(client.version());
        stats.metadata = client.metadata();
        return stats;
    }

    /** Two of these fields are deprecated, and there are no others that clients would read. */
    @SuppressWarnings("deprecation")
    private static void fillTimes(ConsumerStatsImpl stats, DispatcherStats.ConsumerTimes times) {
        stats.setFirstConsumedFlowTimestamp(times.firstFlowMillis());
        stats.setLastConsumedFlowTimestamp(times.lastFlowMillis());
        stats.setFirstMessagesSentTimestamp(times.firstSentMillis());
        stats.setLastConsumedTimestamp(times.lastSentMillis());
        stats.setLastAckedTimestamp(times.lastAckMillis());
    }

    private static <T extends PublisherStatsImpl> T publisher(T stats, ProducerFigures figures) {
        stats.accessMode = switch (figures.accessMode()) {
            case SHARED -> ProducerAccessMode.Shared;
            case EXCLUSIVE -> ProducerAccessMode.Exclusive;
            case EXCLUSIVE_WITH_FENCING -> ProducerAccessMode.ExclusiveWithFencing;
            case WAIT_FOR_EXCLUSIVE -> ProducerAccessMode.WaitForExclusive;
        };
        stats.producerId = figures.client().id();
        stats.msgRateIn = figures.published().messageRate();
        stats.msgThroughputIn = figures.published().byteRate();
        if (figures.published().messages() > 0) {
            stats.averageMsgSize =
                    (double) figures.published().bytes() / figures.published().messages();
        }
        stats.setProducerName(figures.name());
        stats.setAddress(figures.client().address());
        stats.setConnectedSince(TimeText.of(figures.client().openedMillis()));
        stats.setClientVersion(figures.client().version());
        stats.metadata = figures.client().metadata();
        return stats;
    }

    /** Of an open topic that stores nothing. */
    static NonPersistentTopicStatsImpl live(TopicFigures figures) {
        NonPersistentTopicStatsImpl stats = new NonPersistentTopicStatsImpl();
        TopicFigures.Published published = figures.published();
        stats.setMsgInCounter(published.messages());
        stats.setBytesInCounter(published.bytes());
        stats.setMsgRateIn(published.messageRate());
        stats.setMsgThroughputIn(published.byteRate());
        stats.setMsgOutCounter(figures.sent().messages());
        stats.setBytesOutCounter(figures.sent().bytes());
        if (published.messages() > 0) {
            stats.setAverageMsgSize((double) published.bytes() / published.messages());
        }
        figures.producers()
                .forEach(producer -> stats.addPublisher(publisher(new NonPersistentPublisherStatsImpl(), producer)));
        for (SubscriptionFigures subscription : figures.subscriptions()) {
            NonPersistentSubscriptionStatsImpl each = new NonPersistentSubscriptionStatsImpl();
            fill(each, subscription);
            each.msgDropRate = subscription.stats().rates().dropped();
            stats.getNonPersistentSubscriptions().put(subscription.name(), each);
            stats.setMsgRateOut(stats.getMsgRateOut() + each.msgRateOut);
            stats.setMsgThroughputOut(stats.getMsgThroughputOut() + each.msgThroughputOut);
        }
        stats.setOwnerBroker(ClusterPaths.CLUSTER);
        return stats;
    }
}
