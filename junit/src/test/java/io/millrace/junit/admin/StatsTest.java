package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.admin.GetStatsOptions;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.KeySharedPolicy;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Range;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.ConsumerStats;
import org.apache.pulsar.common.policies.data.NonPersistentTopicStats;
import org.apache.pulsar.common.policies.data.PartitionedTopicStats;
import org.apache.pulsar.common.policies.data.PersistentTopicInternalStats;
import org.apache.pulsar.common.policies.data.PublisherStats;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.apache.pulsar.common.policies.data.TopicStats;
import org.junit.jupiter.api.Test;

class StatsTest extends AdminFixture {
    private Consumer<byte[]> consume(String topic, SubscriptionType type) throws Exception {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName("s")
                .consumerName("c")
                .subscriptionType(type)
                .receiverQueueSize(10)
                .subscribe();
    }

    @Test
    void anOpenTopicTellsItsPublishersAndConsumers() throws Exception {
        try (Consumer<byte[]> consumer = consume("t", SubscriptionType.Shared);
                Producer<byte[]> producer = client.newProducer()
                        .topic("t")
                        .producerName("p")
                        .enableBatching(false)
                        .create()) {
            for (int i = 0; i < 5; i++) {
                producer.send(new byte[100]);
            }
            consumer.acknowledge(consumer.receive());
            await(() -> {
                SubscriptionStats now = subscription("t");
                return now.getMsgOutCounter() == 5 && now.getUnackedMessages() == 4;
            });
            TopicStats stats = admin.topics().getStats("t");
            assertThat(stats.getMsgInCounter()).isEqualTo(5);
            assertThat(stats.getBytesInCounter()).isGreaterThan(500);
            assertThat(stats.getStorageSize()).isGreaterThan(500);
            assertThat(stats.getPublishers()).singleElement().satisfies(publisher -> {
                assertThat(publisher.getProducerName()).isEqualTo("p");
                assertThat(publisher.getAddress()).contains("127.0.0.1");
                assertThat(publisher.getClientVersion()).contains("Pulsar");
            });
            SubscriptionStats subscription = stats.getSubscriptions().get("s");
            assertThat(subscription.getType()).isEqualTo("Shared");
            assertThat(subscription.isDurable()).isTrue();
            assertThat(subscription.getMsgBacklog()).isEqualTo(4);
            assertThat(subscription.getMsgOutCounter()).isEqualTo(5);
            assertThat(stats.getMsgOutCounter()).isEqualTo(5);
            ConsumerStats one = subscription.getConsumers().get(0);
            assertThat(one.getConsumerName()).isEqualTo("c");
            assertThat(one.getUnackedMessages()).isEqualTo(4);
            assertThat(one.getMsgOutCounter()).isEqualTo(5);
            assertThat(one.getAvailablePermits()).isPositive();
            assertThat(one.isBlockedConsumerOnUnackedMsgs()).isFalse();
            assertThat(one.getAddress()).contains("127.0.0.1");
            assertThat(one.getConnectedSince()).isNotBlank();
            assertThat(one.getClientVersion()).contains("Pulsar");
        }
        SubscriptionStats left = subscription("t");
        assertThat(left.getConsumers()).isEmpty();
        assertThat(left.getMsgBacklog()).isEqualTo(4);
    }

    @Test
    void whatClientsSayOfTheirProducersAndConsumersIsTold() throws Exception {
        for (String topic : new String[] {"t", "non-persistent://public/default/t"}) {
            try (Producer<byte[]> producer = client.newProducer()
                            .topic(topic)
                            .property("host", "a")
                            .property("of", "a producer")
                            .create();
                    Consumer<byte[]> consumer = client.newConsumer()
                            .topic(topic)
                            .subscriptionName("s")
                            .property("of", "a consumer")
                            .subscribe()) {
                assertThat(producer.isConnected() && consumer.isConnected()).isTrue();
                TopicStats stats = admin.topics().getStats(topic);
                assertThat(stats.getPublishers())
                        .singleElement()
                        .satisfies(publisher ->
                                assertThat(publisher.getMetadata()).isEqualTo(Map.of("host", "a", "of", "a producer")));
                assertThat(stats.getSubscriptions().get("s").getConsumers())
                        .singleElement()
                        .satisfies(each -> assertThat(each.getMetadata()).isEqualTo(Map.of("of", "a consumer")));
            }
        }
    }

    @Test
    void figuresOfPartitionsLeaveOutClientsToo() throws Exception {
        admin.topics().createPartitionedTopic("p", 2);
        try (Consumer<byte[]> consumer = consume("p", SubscriptionType.Shared);
                Producer<byte[]> producer = client.newProducer().topic("p").create()) {
            producer.send(new byte[1]);
            assertThat(consumer.receive().getData()).hasSize(1);
            PartitionedTopicStats all = admin.topics().getPartitionedStats("p", true);
            assertThat(all.getPublishers()).isNotEmpty();
            assertThat(all.getSubscriptions().get("s").getConsumers()).isNotEmpty();
            GetStatsOptions bare = GetStatsOptions.builder()
                    .excludePublishers(true)
                    .excludeConsumers(true)
                    .build();
            PartitionedTopicStats stats = admin.topics().getPartitionedStats("p", true, bare);
            assertThat(stats.getPublishers()).isEmpty();
            assertThat(stats.getSubscriptions().get("s").getConsumers()).isEmpty();
            stats.getPartitions().values().forEach(each -> {
                assertThat(each.getPublishers()).isEmpty();
                assertThat(each.getSubscriptions().get("s").getConsumers()).isEmpty();
            });
        }
    }

    @Test
    void aSubscriptionByKeySaysHowItsKeysAreShared() throws Exception {
        try (Consumer<byte[]> split = shared("split", KeySharedPolicy.autoSplitHashRange());
                Consumer<byte[]> sticky =
                        shared("sticky", KeySharedPolicy.stickyHashRange().ranges(Range.of(0, 65_535)))) {
            assertThat(split.isConnected() && sticky.isConnected()).isTrue();
            assertThat(subscription("split").getKeySharedMode()).isEqualTo("AUTO_SPLIT");
            assertThat(subscription("sticky").getKeySharedMode()).isEqualTo("STICKY");
        }
    }

    private Consumer<byte[]> shared(String topic, KeySharedPolicy keys) throws Exception {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(SubscriptionType.Key_Shared)
                .keySharedPolicy(keys)
                .subscribe();
    }

    private SubscriptionStats subscription(String topic) {
        try {
            return admin.topics().getStats(topic).getSubscriptions().get("s");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ratesAreToldOfPublishersConsumersAndTheWhole() throws Exception {
        try (Consumer<byte[]> consumer = consume("t", SubscriptionType.Shared);
                Producer<byte[]> producer = client.newProducer()
                        .topic("t")
                        .producerName("p")
                        .enableBatching(false)
                        .create()) {
            for (int i = 0; i < 20; i++) {
                producer.send(bytes("hundred".repeat(10)));
            }
            for (int i = 0; i < 10; i++) {
                consumer.acknowledge(consumer.receive());
            }
            await(() -> subscription("t").getMessageAckRate() > 0);
            await(() -> subscription("t").getConsumers().get(0).getMessageAckRate() > 0);
            consumer.receive();
            consumer.redeliverUnacknowledgedMessages();
            consumer.receive();
            PublisherStats publisher = topic("t").getPublishers().get(0);
            assertThat(publisher.getMsgRateIn()).isPositive();
            assertThat(publisher.getMsgThroughputIn()).isGreaterThan(publisher.getMsgRateIn() * 70);
            assertThat(publisher.getAverageMsgSize()).isGreaterThan(70);
            assertThat(topic("t").getMsgRateIn()).isPositive();
            assertThat(topic("t").getMsgThroughputIn()).isGreaterThan(topic("t").getMsgRateIn() * 70);
            // Each is told at one look at least, however long all of it takes.
            await(() -> topic("t").getMsgRateOut() > 0 && topic("t").getMsgThroughputOut() > 0);
            await(() ->
                    subscription("t").getMsgRateOut() > 0 && subscription("t").getMsgThroughputOut() > 0);
            await(() -> subscription("t").getConsumers().get(0).getMsgRateOut() > 0);
            await(() -> subscription("t").getMsgRateRedeliver() > 0);
            await(() -> subscription("t").getConsumers().get(0).getMsgRateRedeliver() > 0);
        }
    }

    private static void assertOrder(long... times) {
        for (int i = 1; i < times.length; i++) {
            assertThat(times[i]).isGreaterThanOrEqualTo(times[i - 1]);
        }
    }

    @Test
    void timesAreToldOfTheTopicTheSubscriptionAndTheConsumer() throws Exception {
        long before = System.currentTimeMillis();
        admin.topics().createNonPartitionedTopic("t");
        TopicStats made = topic("t");
        assertOrder(before, made.getTopicCreationTimeStamp(), System.currentTimeMillis());
        assertThat(made.getLastPublishTimeStamp()).isZero();
        try (Consumer<byte[]> consumer = consume("t", SubscriptionType.Shared)) {
            await(() -> subscription("t").getLastConsumedFlowTimestamp() > 0);
            assertThat(subscription("t").getLastConsumedTimestamp()).isZero();
            publish("t", "a", "b");
            consumer.receive();
            consumer.acknowledge(consumer.receive());
            await(() -> subscription("t").getLastAckedTimestamp() > 0);
            assertThat(subscription("t").getLastMarkDeleteAdvancedTimestamp()).isZero();
            TopicStats stats = topic("t");
            SubscriptionStats each = stats.getSubscriptions().get("s");
            ConsumerStats one = each.getConsumers().get(0);
            assertThat(stats.getTopicCreationTimeStamp()).isEqualTo(made.getTopicCreationTimeStamp());
            assertOrder(
                    made.getTopicCreationTimeStamp(),
                    one.getFirstConsumedFlowTimestamp(),
                    one.getLastConsumedFlowTimestamp());
            assertOrder(
                    one.getFirstConsumedFlowTimestamp(),
                    one.getFirstMessagesSentTimestamp(),
                    one.getLastConsumedTimestamp(),
                    one.getLastAckedTimestamp(),
                    System.currentTimeMillis());
            assertOrder(
                    one.getFirstConsumedFlowTimestamp(), stats.getLastPublishTimeStamp(), System.currentTimeMillis());
            assertThat(each.getLastConsumedTimestamp()).isEqualTo(one.getLastConsumedTimestamp());
            assertThat(each.getLastAckedTimestamp()).isEqualTo(one.getLastAckedTimestamp());
            assertThat(each.getLastConsumedFlowTimestamp()).isEqualTo(one.getLastConsumedFlowTimestamp());
            assertThat(each.getLastExpireTimestamp()).isZero();
            assertThat(OffsetDateTime.parse(one.getConnectedSince()))
                    .isAfter(Instant.ofEpochMilli(before - 1).atOffset(ZoneOffset.UTC));
        }
        SubscriptionStats left = subscription("t");
        assertThat(left.getLastConsumedFlowTimestamp()).isPositive();
        assertThat(left.getLastConsumedTimestamp())
                .as("of consumers that are there")
                .isZero();
        await(() -> System.currentTimeMillis() - topic("t").getLastPublishTimeStamp() > 1_000);
        admin.topics().expireMessages("t", "s", 1);
        SubscriptionStats expired = subscription("t");
        assertOrder(before, expired.getLastExpireTimestamp(), System.currentTimeMillis());
        assertOrder(expired.getLastExpireTimestamp(), expired.getLastMarkDeleteAdvancedTimestamp());
    }

    @Test
    void timesOfTheTopicAreToldOfOneThatIsNotOpen() throws Exception {
        publish("t", "a");
        admin.topics().createPartitionedTopic("p", 2);
        publish("p", "a");
        TopicStats before = topic("t");
        PartitionedTopicStats sum = admin.topics().getPartitionedStats("p", true);
        long first = sum.getPartitions().values().stream()
                .mapToLong(TopicStats::getTopicCreationTimeStamp)
                .min()
                .orElseThrow();
        assertThat(first).isPositive();
        assertThat(sum.getTopicCreationTimeStamp()).isEqualTo(first);
        assertThat(sum.getLastPublishTimeStamp()).isGreaterThanOrEqualTo(first);
        String ledger = admin.topics().getInternalStats("t").lastLedgerCreatedTimestamp;
        restart();
        assertThat(topic("t").getTopicCreationTimeStamp()).isEqualTo(before.getTopicCreationTimeStamp());
        assertThat(topic("t").getLastPublishTimeStamp())
                .isBetween(before.getTopicCreationTimeStamp(), before.getLastPublishTimeStamp());
        assertThat(admin.topics().getPartitionedStats("p", false).getTopicCreationTimeStamp())
                .isEqualTo(first);
        assertThat(admin.topics().getInternalStats("t").lastLedgerCreatedTimestamp)
                .isEqualTo(ledger);
        assertOrder(
                before.getTopicCreationTimeStamp(),
                OffsetDateTime.parse(ledger).toInstant().toEpochMilli(),
                before.getLastPublishTimeStamp());
        assertThat(service.broker().memoryUse()).contains(", 0 topics in use of 3,");
    }

    @Test
    void consumersOfATopicThatStoresNothingTellTimesAndTheTopicNone() throws Exception {
        String topic = "non-persistent://public/default/live";
        long before = System.currentTimeMillis();
        try (Consumer<byte[]> consumer = consume(topic, SubscriptionType.Exclusive)) {
            await(() -> subscription(topic).getConsumers().get(0).getAvailablePermits() > 0);
            publish(topic, "a");
            consumer.receive();
            TopicStats stats = topic(topic);
            ConsumerStats one = subscription(topic).getConsumers().get(0);
            assertOrder(
                    before,
                    one.getFirstConsumedFlowTimestamp(),
                    one.getFirstMessagesSentTimestamp(),
                    one.getLastConsumedTimestamp(),
                    System.currentTimeMillis());
            assertThat(stats.getTopicCreationTimeStamp()).as("as by Pulsar").isZero();
            assertThat(stats.getLastPublishTimeStamp()).isZero();
            assertThat(subscription(topic).getLastConsumedFlowTimestamp()).isZero();
        }
    }

    private TopicStats topic(String name) {
        try {
            return admin.topics().getStats(name);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theHashesOfConsumersAreToldAndTogetherTheyAreAll() throws Exception {
        try (Consumer<byte[]> one = consume("t", SubscriptionType.Key_Shared);
                Consumer<byte[]> two = consume("t", SubscriptionType.Key_Shared)) {
            assertThat(one.isConnected() && two.isConnected()).isTrue();
            List<int[]> ranges = new ArrayList<>();
            for (ConsumerStats consumer : subscription("t").getConsumers()) {
                assertThat(consumer.getKeyHashRangeArrays()).isNotEmpty();
                ranges.addAll(consumer.getKeyHashRangeArrays());
            }
            ranges.sort(Comparator.comparingInt(range -> range[0]));
            int next = 1;
            for (int[] range : ranges) {
                assertThat(range[0]).isEqualTo(next);
                assertThat(range[1]).isGreaterThanOrEqualTo(range[0]);
                next = range[1] + 1;
            }
            assertThat(next).isEqualTo(65_536);
        }
        KeySharedPolicy claimed = KeySharedPolicy.stickyHashRange().ranges(Range.of(0, 9), Range.of(20, 65_535));
        try (Consumer<byte[]> sticky = client.newConsumer()
                .topic("t")
                .subscriptionName("sticky")
                .subscriptionType(SubscriptionType.Key_Shared)
                .keySharedPolicy(claimed)
                .subscribe()) {
            assertThat(sticky.isConnected()).isTrue();
            assertThat(admin.topics()
                            .getStats("t")
                            .getSubscriptions()
                            .get("sticky")
                            .getConsumers()
                            .get(0)
                            .getKeyHashRangeArrays())
                    .containsExactly(new int[] {0, 9}, new int[] {20, 65_535});
        }
    }

    @Test
    void askingOpensNoTopic() throws Exception {
        publish("t", "a", "b", "c");
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        admin.topics().createSubscription("t", "end", MessageId.latest);
        restart();
        TopicStats stats = admin.topics().getStats("t");
        assertThat(stats.getSubscriptions().get("s").getMsgBacklog()).isEqualTo(3);
        assertThat(stats.getSubscriptions().get("end").getMsgBacklog()).isZero();
        assertThat(stats.getStorageSize()).isPositive();
        assertThat(stats.getPublishers()).isEmpty();
        PersistentTopicInternalStats internal = admin.topics().getInternalStats("t");
        assertThat(internal.numberOfEntries).isEqualTo(3);
        assertThat(internal.cursors).containsOnlyKeys("s", "end");
        assertThat(internal.cursors.get("s").numberOfEntriesSinceFirstNotAckedMessage)
                .isEqualTo(3);
        assertThat(internal.ledgers).hasSize(1);
        assertThat(admin.topics().getSubscriptions("t")).containsExactly("end", "s");
        assertThat(service.broker().memoryUse()).contains(", 0 topics in use of 1,");
    }

    @Test
    void whatIsAcknowledgedOutOfOrderIsNoBacklog() throws Exception {
        try (Consumer<byte[]> consumer = consume("t", SubscriptionType.Shared)) {
            publish("t", "a", "b", "c", "d");
            consumer.receive();
            var second = consumer.receive();
            consumer.receive();
            consumer.acknowledge(second);
            consumer.acknowledge(consumer.receive());
        }
        await(() -> subscription("t").getMsgBacklog() == 2);
        restart();
        assertThat(subscription("t").getMsgBacklog()).isEqualTo(2);
        assertThat(admin.topics().getInternalStats("t").cursors.get("s").individuallyDeletedMessages)
                .startsWith("[(")
                .endsWith("]]");
    }

    @Test
    void partitionsAreSummed() throws Exception {
        admin.topics().createPartitionedTopic("many", 3, Map.of("owner", "me"));
        try (Consumer<byte[]> consumer = consume("many", SubscriptionType.Shared)) {
            publish("many", "a", "b", "c", "d", "e", "f");
            PartitionedTopicStats stats = admin.topics().getPartitionedStats("many", true);
            assertThat(stats.getMetadata().partitions).isEqualTo(3);
            assertThat(stats.getPartitions()).hasSize(3);
            assertThat(stats.getMsgInCounter()).isEqualTo(6);
            assertThat(stats.getSubscriptions().get("s").getMsgBacklog()).isEqualTo(6);
            assertThat(admin.topics().getPartitionedStats("many", false).getPartitions())
                    .isEmpty();
            assertThat(admin.topics().getPartitionedInternalStats("many").partitions)
                    .hasSize(3);
            assertThat(consumer.isConnected()).isTrue();
        }
        refusedWith(404, () -> admin.topics().getStats("many"));
        publish("plain", "a");
        for (String topic : List.of("plain", "nothing")) {
            refusedWith(404, () -> admin.topics().getPartitionedStats(topic, true));
            refusedWith(404, () -> admin.topics().getPartitionedInternalStats(topic));
        }
        refusedWith(404, () -> admin.topics().getStats("nothing"));
        refusedWith(404, () -> admin.topics().getInternalStats("nothing"));
    }

    @Test
    void aTopicThatStoresNothingTellsWhatItDrops() throws Exception {
        String topic = "non-persistent://public/default/live";
        try (Consumer<byte[]> consumer = consume(topic, SubscriptionType.Exclusive)) {
            await(() -> subscription(topic).getConsumers().get(0).getAvailablePermits() > 0);
            publish(topic, "a", "b");
            consumer.receive();
            consumer.receive();
            NonPersistentTopicStats stats =
                    (NonPersistentTopicStats) admin.topics().getStats(topic);
            assertThat(stats.getSubscriptions().get("s").getMsgOutCounter()).isEqualTo(2);
            assertThat(stats.getSubscriptions().get("s").getType()).isEqualTo("Exclusive");
        }
    }
}
