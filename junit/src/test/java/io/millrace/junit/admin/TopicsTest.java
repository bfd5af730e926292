package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.common.partition.PartitionedTopicMetadata;
import org.junit.jupiter.api.Test;

class TopicsTest extends AdminFixture {
    @Test
    void aTopicIsMadeListedAndDeleted() throws Exception {
        admin.topics().createNonPartitionedTopic("plain");
        refusedWith(409, () -> admin.topics().createNonPartitionedTopic("plain"));
        restart();
        assertThat(admin.topics().getList(NAMESPACE)).containsExactly("persistent://public/default/plain");
        assertThat(admin.topics().getPartitionedTopicMetadata("plain").partitions)
                .isZero();
        admin.topics().delete("plain");
        restart();
        assertThat(admin.topics().getList(NAMESPACE)).isEmpty();
        refusedWith(404, () -> admin.topics().delete("plain"));
        refusedWith(404, () -> admin.topics().getPartitionedTopicMetadata("plain"));
        refusedWith(404, () -> admin.topics().getList("public/nothing"));
        refusedWith(404, () -> admin.topics().getList("no/such"));
        admin.topics().createNonPartitionedTopic("no/such/topic");
        assertThat(admin.topics().getList("no/such")).containsExactly("persistent://no/such/topic");
    }

    @Test
    void aTopicInUseGoesByForce() throws Exception {
        try (Consumer<byte[]> consumer =
                client.newConsumer().topic("used").subscriptionName("s").subscribe()) {
            refusedWith(412, () -> admin.topics().delete("used"));
            assertThat(consumer.isConnected()).isTrue();
            admin.topics().delete("used", true);
        }
    }

    @Test
    void namesAreWhatPulsarAllows() throws Exception {
        for (String local :
                List.of("with space", "ä-ö", "a+b%c", "a&b=c?d#e", "stats", "partitions", "日本", "a\\b\"c")) {
            isServed(local);
        }
    }

    private void isServed(String local) throws Exception {
        String name = "persistent://public/default/" + local;
        admin.topics().createNonPartitionedTopic(name);
        assertThat(admin.topics().getList(NAMESPACE)).containsExactly(name);
        admin.topics().createSubscription(name, "sub " + local, MessageId.earliest);
        assertThat(admin.topics().getSubscriptions(name)).containsExactly("sub " + local);
        assertThat(admin.topics().getStats(name).getSubscriptions()).containsOnlyKeys("sub " + local);
        admin.topics().deleteSubscription(name, "sub " + local);
        admin.topics().delete(name);
        assertThat(admin.topics().getList(NAMESPACE)).isEmpty();
    }

    @Test
    void aPartitionedTopicIsMadeGrownAndDeleted() throws Exception {
        admin.topics().createPartitionedTopic("many", 3, Map.of("owner", "me"));
        refusedWith(409, () -> admin.topics().createPartitionedTopic("many", 3));
        refusedWith(409, () -> admin.topics().createNonPartitionedTopic("many"));
        restart();
        PartitionedTopicMetadata metadata = admin.topics().getPartitionedTopicMetadata("many");
        assertThat(metadata.partitions).isEqualTo(3);
        assertThat(metadata.properties).isEqualTo(Map.of("owner", "me"));
        assertThat(admin.topics().getPartitionedTopicList(NAMESPACE))
                .containsExactly("persistent://public/default/many");
        assertThat(admin.topics().getList(NAMESPACE)).hasSize(3);
        admin.topics().createMissedPartitions("many");
        admin.topics().updatePartitionedTopic("many", 5);
        restart();
        assertThat(admin.topics().getPartitionedTopicMetadata("many").partitions)
                .isEqualTo(5);
        refusedWith(422, () -> admin.topics().updatePartitionedTopic("many", 2));
        refusedWith(412, () -> admin.topics().createPartitionedTopic("many-partition-0", 2));
        refusedWith(404, () -> admin.topics().deletePartitionedTopic("none"));
        refusedWith(409, () -> admin.topics().delete("many"));
        admin.topics().deletePartitionedTopic("many");
        restart();
        assertThat(admin.topics().getPartitionedTopicList(NAMESPACE)).isEmpty();
        assertThat(admin.topics().getList(NAMESPACE)).isEmpty();
    }

    @Test
    void newPartitionsHaveTheSubscriptionsOfTheOthers() throws Exception {
        admin.topics().createPartitionedTopic("many", 1);
        admin.topics().createSubscription("many", "s", MessageId.latest);
        admin.topics().updatePartitionedTopic("many", 3);
        restart();
        assertThat(admin.topics().getSubscriptions("many-partition-1")).containsExactly("s");
        assertThat(admin.topics().getSubscriptions("many-partition-2")).containsExactly("s");
        admin.topics().createNonPartitionedTopic("single");
        refusedWith(409, () -> admin.topics().updatePartitionedTopic("single", 2));
        refusedWith(409, () -> admin.topics().deletePartitionedTopic("single"));
        refusedWith(404, () -> admin.topics().createMissedPartitions("single"));
        refusedWith(412, () -> admin.topics().createNonPartitionedTopic("single-partition-0"));
    }

    @Test
    void propertiesOfAPartitionedTopicChange() throws Exception {
        admin.topics().createPartitionedTopic("many", 2, Map.of("a", "1"));
        admin.topics().updateProperties("many", Map.of("b", "2", "c", "3"));
        admin.topics().removeProperties("many", "a");
        restart();
        assertThat(admin.topics().getProperties("many")).isEqualTo(Map.of("b", "2", "c", "3"));
        assertThat(admin.topics().getPartitionedTopicMetadata("many").partitions)
                .isEqualTo(2);
        admin.topics().createNonPartitionedTopic("plain");
        assertThat(admin.topics().getProperties("plain")).isNullOrEmpty();
        refusedWith(404, () -> admin.topics().getProperties("nothing"));
    }

    @Test
    void aNonPersistentTopicIsMadeAndPartitioned() throws Exception {
        admin.topics().createPartitionedTopic("non-persistent://public/default/live", 2);
        restart();
        assertThat(admin.topics().getPartitionedTopicMetadata("non-persistent://public/default/live").partitions)
                .isEqualTo(2);
        try (Consumer<byte[]> consumer = client.newConsumer()
                .topic("non-persistent://public/default/live")
                .subscriptionName("s")
                .subscribe()) {
            assertThat(admin.topics()
                            .getPartitionedStats("non-persistent://public/default/live", true)
                            .getPartitions())
                    .hasSize(2);
            assertThat(consumer.isConnected()).isTrue();
        }
        admin.topics().deletePartitionedTopic("non-persistent://public/default/live", true);
        restart();
        refusedWith(404, () -> admin.topics().getPartitionedTopicMetadata("non-persistent://public/default/live"));
    }

    @Test
    void aTopicIsTerminatedDurably() throws Exception {
        MessageId last = publish("ended", "a", "b")[1];
        assertThat(admin.topics().terminateTopic("ended")).isEqualTo(last);
        restart();
        assertThat(catchThrowable(() -> publish("ended", "c"))).isNotNull();
        try (Consumer<byte[]> consumer = client.newConsumer()
                .topic("ended")
                .subscriptionName("s")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .subscribe()) {
            consumer.acknowledge(consumer.receive());
            consumer.acknowledge(consumer.receive());
            await(consumer::hasReachedEndOfTopic);
        }
        refusedWith(404, () -> admin.topics().terminateTopic("nothing"));
        admin.topics().createPartitionedTopic("many", 2);
        refusedWith(405, () -> admin.topics().terminateTopic("many"));
        assertThat(admin.topics().terminatePartitionedTopic("many")).hasSize(2);
    }

    @Test
    void aTopicIsTruncatedAndUnloaded() throws Exception {
        publish("cut", "a", "b");
        admin.topics().createSubscription("cut", "s", MessageId.earliest);
        assertThat(admin.topics().getStats("cut").getSubscriptions().get("s").getMsgBacklog())
                .isEqualTo(2);
        admin.topics().truncate("cut");
        restart();
        assertThat(admin.topics().getStats("cut").getSubscriptions().get("s").getMsgBacklog())
                .isZero();
        try (Consumer<byte[]> consumer =
                client.newConsumer().topic("cut").subscriptionName("s").subscribe()) {
            admin.topics().unload("cut");
            publish("cut", "c");
            assertThat(consumer.receive().getData()).isEqualTo(bytes("c"));
        }
        refusedWith(404, () -> admin.topics().unload("nothing"));
        refusedWith(404, () -> admin.topics().truncate("nothing"));
    }

    @Test
    void theLastMessageIsKnown() throws Exception {
        MessageId last = publish("t", "a", "b")[1];
        assertThat(admin.topics().getLastMessageId("t")).isEqualTo(last);
        admin.topics().createNonPartitionedTopic("empty");
        assertThat(((MessageIdImpl) admin.topics().getLastMessageId("empty")).getEntryId())
                .isEqualTo(-1);
        refusedWith(405, () -> admin.topics().getLastMessageId("non-persistent://public/default/a"));
        refusedWith(404, () -> admin.topics().getLastMessageId("nothing"));
    }
}
