package io.millrace.junit.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.junit.jupiter.api.Test;

class SubscriptionsTest extends AdminFixture {
    private static final String KEEPER = "keeper";

    private Consumer<byte[]> consume(String topic) throws Exception {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(SubscriptionType.Shared)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .subscribe();
    }

    /** Messages go when every subscription has acknowledged them: this one never does. */
    private void keep(String topic) throws Exception {
        admin.topics().createSubscription(topic, KEEPER, MessageId.earliest);
    }

    private static String next(Consumer<byte[]> consumer) throws Exception {
        Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
        assertThat(message).as("a message comes").isNotNull();
        consumer.acknowledge(message);
        return text(message);
    }

    private long backlog(String topic) throws Exception {
        return admin.topics().getStats(topic).getSubscriptions().get("s").getMsgBacklog();
    }

    @Test
    void aSubscriptionBeginsWhereItIsTold() throws Exception {
        MessageId[] ids = publish("t", "a", "b", "c");
        admin.topics().createSubscription("t", "s", ids[1]);
        admin.topics().createSubscription("t", "first", MessageId.earliest);
        admin.topics().createSubscription("t", "last", MessageId.latest);
        refusedWith(409, () -> admin.topics().createSubscription("t", "s", MessageId.latest));
        restart();
        assertThat(admin.topics().getSubscriptions("t")).containsExactly("first", "last", "s");
        assertThat(admin.topics().getStats("t").getSubscriptions().get("first").getMsgBacklog())
                .isEqualTo(3);
        assertThat(admin.topics().getStats("t").getSubscriptions().get("last").getMsgBacklog())
                .isZero();
        try (Consumer<byte[]> consumer = consume("t")) {
            assertThat(next(consumer)).isEqualTo("b");
        }
        refusedWith(404, () -> admin.topics().getSubscriptions("nothing"));
    }

    @Test
    void aPartitionedTopicHasItOnEachPartition() throws Exception {
        admin.topics().createPartitionedTopic("many", 3);
        admin.topics().createSubscription("many", "s", MessageId.earliest);
        keep("many");
        publish("many", "a", "b", "c", "d", "e", "f");
        restart();
        assertThat(admin.topics().getSubscriptions("many")).containsExactly(KEEPER, "s");
        for (int i = 0; i < 3; i++) {
            assertThat(admin.topics().getSubscriptions("many-partition-" + i)).containsExactly(KEEPER, "s");
        }
        admin.topics().skipAllMessages("many", "s");
        restart();
        assertThat(admin.topics()
                        .getPartitionedStats("many", false)
                        .getSubscriptions()
                        .get("s")
                        .getMsgBacklog())
                .isZero();
        refusedWith(405, () -> admin.topics().skipMessages("many", "s", 1));
        admin.topics().resetCursor("many", "s", 0);
        assertThat(admin.topics()
                        .getPartitionedStats("many", false)
                        .getSubscriptions()
                        .get("s")
                        .getMsgBacklog())
                .isEqualTo(6);
        admin.topics().deleteSubscription("many", "s");
        restart();
        assertThat(admin.topics().getSubscriptions("many")).containsExactly(KEEPER);
    }

    @Test
    void aSubscriptionIsDeletedAndStaysSo() throws Exception {
        publish("t", "a");
        admin.topics().createSubscription("t", "idle", MessageId.earliest);
        restart();
        admin.topics().deleteSubscription("t", "idle");
        try (Consumer<byte[]> consumer = consume("t")) {
            refusedWith(412, () -> admin.topics().deleteSubscription("t", "s"));
            assertThat(consumer.isConnected()).isTrue();
        }
        admin.topics().deleteSubscription("t", "s", true);
        restart();
        assertThat(admin.topics().getSubscriptions("t")).isEmpty();
        refusedWith(404, () -> admin.topics().deleteSubscription("t", "s"));
        refusedWith(404, () -> admin.topics().deleteSubscription("nothing", "s"));
    }

    @Test
    void skippingLeavesConsumersAndIsDurable() throws Exception {
        publish("t", "a", "b", "c", "d", "e");
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        admin.topics().skipMessages("t", "s", 2);
        restart();
        assertThat(backlog("t")).isEqualTo(3);
        try (Consumer<byte[]> consumer = consume("t")) {
            assertThat(next(consumer)).isEqualTo("c");
            consumer.receive();
            admin.topics().skipAllMessages("t", "s");
            assertThat(backlog("t")).isZero();
            assertThat(admin.topics().getStats("t").getSubscriptions().get("s").getUnackedMessages())
                    .isZero();
            publish("t", "after");
            String text = next(consumer);
            assertThat(text.equals("e") ? next(consumer) : text).isEqualTo("after");
        }
        restart();
        assertThat(backlog("t")).isZero();
        refusedWith(404, () -> admin.topics().skipMessages("t", "nobody", 1));
        refusedWith(404, () -> admin.topics().skipAllMessages("nothing", "s"));
    }

    @Test
    void skippingCountsWhatIsNotAcknowledged() throws Exception {
        try (Consumer<byte[]> consumer = consume("t")) {
            publish("t", "a", "b", "c", "d");
            consumer.receive();
            consumer.acknowledge(consumer.receive());
        }
        await(() -> {
            try {
                return backlog("t") == 3;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        admin.topics().skipMessages("t", "s", 2);
        restart();
        try (Consumer<byte[]> consumer = consume("t")) {
            assertThat(next(consumer)).isEqualTo("d");
        }
    }

    @Test
    void aCursorIsResetAndConsumersComeBack() throws Exception {
        MessageId[] ids = publish("t", "a", "b", "c");
        keep("t");
        admin.topics().createSubscription("t", "s", MessageId.latest);
        try (Consumer<byte[]> consumer = consume("t")) {
            admin.topics().resetCursor("t", "s", ids[1]);
            assertThat(next(consumer)).isEqualTo("b");
            assertThat(next(consumer)).isEqualTo("c");
            admin.topics().resetCursor("t", "s", ids[1], true);
            assertThat(next(consumer)).isEqualTo("c");
            admin.topics().resetCursor("t", "s", 0);
            assertThat(next(consumer)).isEqualTo("a");
        }
        admin.topics().resetCursor("t", "s", MessageId.earliest);
        restart();
        assertThat(backlog("t")).isEqualTo(3);
        admin.topics().resetCursor("t", "s", System.currentTimeMillis() + 100_000);
        restart();
        assertThat(backlog("t")).isZero();
        refusedWith(404, () -> admin.topics().resetCursor("t", "nobody", 0));
        refusedWith(404, () -> admin.topics().resetCursor("nothing", "s", ids[0]));
    }

    @Test
    void messagesExpireByAgeAndByPosition() throws Exception {
        MessageId[] ids = publish("t", "a", "b", "c");
        long published = System.currentTimeMillis();
        for (String name : List.of("s", "other", "third")) {
            admin.topics().createSubscription("t", name, MessageId.earliest);
        }
        admin.topics().expireMessages("t", "s", 3_600);
        assertThat(backlog("t")).isEqualTo(3);
        admin.topics().expireMessages("t", "other", ids[0], false);
        await(() -> System.currentTimeMillis() > published);
        admin.topics().expireMessages("t", "s", 0);
        restart();
        assertThat(backlog("t")).isZero();
        assertThat(admin.topics().getStats("t").getSubscriptions().get("other").getMsgBacklog())
                .isEqualTo(2);
        admin.topics().expireMessagesForAllSubscriptions("t", 0);
        restart();
        assertThat(admin.topics().getStats("t").getSubscriptions().get("other").getMsgBacklog())
                .isZero();
        assertThat(admin.topics().getStats("t").getSubscriptions().get("third").getMsgBacklog())
                .isZero();
        refusedWith(404, () -> admin.topics().expireMessages("t", "nobody", 1));
    }

    @Test
    void aNamespaceClearsAndDropsSubscriptions() throws Exception {
        publish("one", "a");
        admin.topics().createPartitionedTopic("many", 2);
        publish("many", "a", "b");
        for (String topic : List.of("one", "many")) {
            admin.topics().createSubscription(topic, "s", MessageId.earliest);
            keep(topic);
        }
        admin.namespaces().clearNamespaceBacklogForSubscription(NAMESPACE, "s");
        assertThat(backlog("one")).isZero();
        assertThat(admin.topics().getStats("one").getSubscriptions().get(KEEPER).getMsgBacklog())
                .isEqualTo(1);
        admin.namespaces().clearNamespaceBacklog(NAMESPACE);
        assertThat(admin.topics().getStats("one").getSubscriptions().get(KEEPER).getMsgBacklog())
                .isZero();
        admin.namespaces().unsubscribeNamespace(NAMESPACE, "s");
        restart();
        assertThat(admin.topics().getSubscriptions("one")).containsExactly(KEEPER);
        assertThat(admin.topics().getSubscriptions("many")).containsExactly(KEEPER);
    }

    /** What one partition refuses is done to none. */
    @Test
    void aRefusalOnOnePartitionChangesNoOther() throws Exception {
        admin.topics().createPartitionedTopic("many", 3);
        publish("many", "a", "b", "c");
        admin.topics().createSubscription("many", "s", MessageId.earliest);
        try (Consumer<byte[]> last = consume("many-partition-2")) {
            refusedWith(412, () -> admin.topics().deleteSubscription("many", "s"));
            assertThat(last.isConnected()).isTrue();
        }
        admin.topics().deleteSubscription("many-partition-1", "s");
        refusedWith(404, () -> admin.topics().skipAllMessages("many", "s"));
        refusedWith(404, () -> admin.topics().resetCursor("many", "s", 0));
        refusedWith(404, () -> admin.topics().expireMessages("many", "s", 1));
        assertThat(backlog("many-partition-0")).isEqualTo(1);
        admin.topics().createSubscription("many", "s", MessageId.latest);
        assertThat(backlog("many-partition-0")).isEqualTo(1);
        assertThat(backlog("many-partition-1")).isZero();
        restart();
        assertThat(backlog("many-partition-0")).isEqualTo(1);
        assertThat(backlog("many-partition-1")).isZero();
    }

    @Test
    void consumersOfAllPartitionsStayWhereNothingMovesAndComeBackWhereItDoes() throws Exception {
        admin.topics().createPartitionedTopic("many", 3);
        keep("many");
        try (Consumer<byte[]> consumer = consume("many")) {
            publish("many", "a", "b", "c");
            for (int i = 0; i < 3; i++) {
                assertThat(consumer.receive(20, TimeUnit.SECONDS)).isNotNull();
            }
            admin.topics().skipAllMessages("many", "s");
            admin.topics().createSubscription("many", "other", MessageId.earliest);
            publish("many", "d");
            assertThat(next(consumer)).isEqualTo("d");
            await(() -> sum("many") == 0);
            admin.topics().resetCursor("many", "s", 0);
            assertThat(List.of(next(consumer), next(consumer), next(consumer), next(consumer)))
                    .containsExactlyInAnyOrder("a", "b", "c", "d");
            admin.topics().deleteSubscription("many", "s", true);
            await(() -> hasConsumers("many"));
            publish("many", "e");
            assertThat(next(consumer)).isEqualTo("e");
            assertThat(sum("many", "other")).isEqualTo(5);
        }
    }

    private long sum(String topic) {
        return sum(topic, "s");
    }

    private long sum(String topic, String subscription) {
        try {
            return admin.topics()
                    .getPartitionedStats(topic, false)
                    .getSubscriptions()
                    .get(subscription)
                    .getMsgBacklog();
        } catch (PulsarAdminException e) {
            throw new AssertionError(e);
        }
    }

    private boolean hasConsumers(String topic) {
        try {
            for (int i = 0; i < 3; i++) {
                SubscriptionStats there = admin.topics()
                        .getStats(topic + "-partition-" + i)
                        .getSubscriptions()
                        .get("s");
                if (there == null || there.getConsumers().isEmpty()) {
                    return false;
                }
            }
            return true;
        } catch (PulsarAdminException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSubscriptionThatThereIsNotIsPeekedFromTheFirstMessageAndNotMade() throws Exception {
        admin.topics().createNonPartitionedTopic("t");
        admin.topics().createSubscription("t", "other", MessageId.earliest);
        publish("t", "a", "b", "c");
        List<Message<byte[]>> peeked = admin.topics().peekMessages("t", "none", 2);
        assertThat(peeked.stream().map(each -> new String(each.getData(), UTF_8)))
                .containsExactly("a", "b");
        assertThat(admin.topics().peekMessages("t", "none", 10)).hasSize(3);
        assertThat(admin.topics().getSubscriptions("t")).containsExactly("other");
    }

    @Test
    void messagesArePeekedAndExamined() throws Exception {
        MessageId[] ids = publish("t", "a", "b", "c");
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        List<Message<byte[]>> peeked = admin.topics().peekMessages("t", "s", 2);
        assertThat(peeked).extracting(message -> text(message)).containsExactly("a", "b");
        assertThat(peeked.get(1).getProperties()).containsEntry("text", "b").containsEntry("word", "Wört");
        assertThat(peeked.get(1).getKey()).isEqualTo("key-b");
        assertThat(peeked.get(1).getMessageId().toString()).startsWith(ids[1].toString());
        assertThat(admin.topics().peekMessages("t", "s", 10)).hasSize(3);
        assertThat(backlog("t")).isEqualTo(3);
        assertThat(admin.topics().examineMessage("t", "earliest", 2).getData()).isEqualTo(bytes("b"));
        assertThat(admin.topics().examineMessage("t", "latest", 1).getData()).isEqualTo(bytes("c"));
        assertThat(admin.topics().examineMessage("t", "latest", 100).getData()).isEqualTo(bytes("a"));
        MessageIdImpl id = (MessageIdImpl) ids[2];
        assertThat(admin.topics()
                        .getMessagesById("t", id.getLedgerId(), id.getEntryId())
                        .get(0)
                        .getData())
                .isEqualTo(bytes("c"));
        assertThat(admin.topics().getMessageIdByTimestamp("t", 0)).isEqualTo(ids[0]);
        admin.topics().createNonPartitionedTopic("empty");
        refusedWith(412, () -> admin.topics().examineMessage("empty", "earliest", 1));
        refusedWith(404, () -> admin.topics().getMessagesById("t", id.getLedgerId(), 99));
        refusedWith(404, () -> admin.topics().examineMessage("nothing", "latest", 1));
    }

    @Test
    void aBatchIsPeekedMessageByMessage() throws Exception {
        try (Producer<byte[]> producer = client.newProducer()
                .topic("t")
                .batcherBuilder(BatcherBuilder.DEFAULT)
                .batchingMaxPublishDelay(10, TimeUnit.SECONDS)
                .compressionType(CompressionType.ZLIB)
                .create()) {
            var unused =
                    producer.newMessage().property("n", "1").value(bytes("a")).sendAsync();
            var second =
                    producer.newMessage().property("n", "2").value(bytes("b")).sendAsync();
            producer.flush();
            second.get(20, TimeUnit.SECONDS);
        }
        admin.topics().createSubscription("t", "s", MessageId.earliest);
        List<Message<byte[]>> peeked = admin.topics().peekMessages("t", "s", 2);
        assertThat(peeked).extracting(message -> text(message)).containsExactly("a", "b");
        assertThat(peeked.get(1).getProperties()).containsEntry("n", "2");
    }

    /** Asking opens no topic, and what opens one for it leaves no consumer. */
    @Test
    void oneThatNobodyHasJoinedSinceTheStartIsToldAndMovedLikeAnyOther() throws Exception {
        keep("t");
        MessageId[] ids = publish("t", "a", "b", "c", "d");
        try (Consumer<byte[]> consumer = consume("t")) {
            consumer.seek(MessageId.earliest);
            next(consumer);
            Message<byte[]> unacknowledged = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(text(unacknowledged)).isEqualTo("b");
            next(consumer);
        }
        isUnusedWith(2);
        restart();
        isUnusedWith(2);
        assertThat(admin.topics().peekMessages("t", "s", 2))
                .extracting(AdminFixture::text)
                .containsExactly("b", "d");
        isUnusedWith(2);
        restart();
        admin.topics().skipMessages("t", "s", 1);
        isUnusedWith(1);
        restart();
        admin.topics().resetCursor("t", "s", ids[1]);
        isUnusedWith(3);
        restart();
        admin.topics().expireMessages("t", "s", ids[1], false);
        isUnusedWith(2);
    }

    private void isUnusedWith(long backlog) throws Exception {
        SubscriptionStats stats =
                admin.topics().getStats("t").getSubscriptions().get("s");
        assertThat(stats.getMsgBacklog()).isEqualTo(backlog);
        assertThat(stats.getType()).isEqualTo("None");
        assertThat(stats.getConsumers()).isEmpty();
        assertThat(admin.topics().getSubscriptions("t")).containsExactly(KEEPER, "s");
    }
}
