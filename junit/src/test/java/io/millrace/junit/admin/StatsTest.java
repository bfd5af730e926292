package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

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
        refusedWith(404, () -> admin.topics().getPartitionedStats("nothing", true));
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
