package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicRules;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which clients and messages policies refuse, and on which topics they do not. */
@Timeout(60)
class PolicySessionTest {
    private static final String STORED = "persistent://public/default/policed";
    private static final String LIVE = "non-persistent://public/default/policed";
    private static final String LARGE = "x".repeat(1_001);

    private ServerFixture broker;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        client = RawClient.connect(broker.port());
        client.producer(1, STORED);
        client.producer(2, LIVE);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    /** Who comes to the topic later finds that it has the policy. */
    private void policy(String topic, String key, String value) throws Exception {
        broker.policy(topic, key, value);
        client.producer(9, topic);
        ProducerSessionTest.closeProducer(client, 9);
    }

    private BaseCommand answer(long producerId, MessageMetadata metadata, String payload) throws IOException {
        client.write(WireFrames.send(producerId, metadata.getSequenceId(), WireFrames.message(metadata, payload)));
        return client.receive();
    }

    private void isTaken(long producerId, MessageMetadata metadata, String payload) throws IOException {
        assertThat(answer(producerId, metadata, payload).getType()).isEqualTo(BaseCommand.Type.SEND_RECEIPT);
    }

    private void isRefused(long producerId, MessageMetadata metadata, String payload) throws IOException {
        BaseCommand refusal = answer(producerId, metadata, payload);
        assertThat(refusal.getType()).isEqualTo(BaseCommand.Type.SEND_ERROR);
        assertThat(refusal.getSendError().getError()).isEqualTo(ServerError.NotAllowedError);
    }

    @Test
    void chunksMayBeLargerThanMessages() throws Exception {
        for (String topic : new String[] {STORED, LIVE}) {
            policy(topic, AppliedPolicies.MAX_MESSAGE, "1000");
            long producerId = topic.equals(STORED) ? 1 : 2;
            for (int chunk = 0; chunk < 2; chunk++) {
                MessageMetadata metadata = WireFrames.metadata(1)
                        .setUuid("wire-1")
                        .setNumChunksFromMsg(2)
                        .setTotalChunkMsgSize(2 * LARGE.length())
                        .setChunkId(chunk);
                isTaken(producerId, metadata, LARGE);
            }
            isRefused(producerId, WireFrames.metadata(2), LARGE);
        }
    }

    private static MessageMetadata delayed(long sequenceId) {
        MessageMetadata metadata = WireFrames.metadata(sequenceId);
        return metadata.setDeliverAtTime(metadata.getPublishTime() + 8);
    }

    @Test
    void theLongestDelayCountsWhereMessagesAreDelayed() throws Exception {
        policy(STORED, AppliedPolicies.DELAYS, "1000,true,7");
        isRefused(1, delayed(1), "late");
        policy(STORED, AppliedPolicies.DELAYS, "1000,false,7");
        isTaken(1, delayed(2), "at once");
        policy(LIVE, AppliedPolicies.DELAYS, "1000,true,7");
        isTaken(2, delayed(1), "at once");
    }

    private BaseCommand subscribe(String topic, long consumerId, String subscription) throws IOException {
        client.sendSubscribe(
                consumerId,
                topic,
                SubType.Shared,
                s -> s.setSubscription(subscription).setConsumerName("c"));
        return client.receive();
    }

    /** Nobody else could make the subscriptions of a topic that stores nothing, and they end with it. */
    @Test
    void anyConsumerMayMakeTheSubscriptionsOfATopicThatStoresNothing() throws Exception {
        String[][] policies = {
            {TopicRules.JOIN_MAKES, "false"},
            {TopicRules.TYPES, "Exclusive"},
            {TopicRules.MAX_SUBSCRIPTIONS, "1"},
            {AppliedPolicies.SUBSCRIBE_RATE, "1,3600"}
        };
        for (String[] policy : policies) {
            String stored = STORED + policy[0];
            String live = LIVE + policy[0];
            client.producer(3, stored);
            client.producer(4, live);
            policy(stored, policy[0], policy[1]);
            policy(live, policy[0], policy[1]);
            for (int i = 0; i < 2; i++) {
                assertThat(subscribe(live, 5, "s" + i).getType()).as(policy[0]).isEqualTo(BaseCommand.Type.SUCCESS);
                closeConsumer(5);
            }
            BaseCommand first = subscribe(stored, 5, "s0");
            if (first.getType() == BaseCommand.Type.SUCCESS) {
                closeConsumer(5);
                first = subscribe(stored, 5, "s1");
            }
            assertThat(first.getType()).as(policy[0]).isEqualTo(BaseCommand.Type.ERROR);
            ProducerSessionTest.closeProducer(client, 3);
            ProducerSessionTest.closeProducer(client, 4);
        }
    }

    @Test
    void howManyClientsThereMayBeCountsOnEveryTopic() throws Exception {
        policy(LIVE, AppliedPolicies.MAX_CONSUMERS, "1");
        assertThat(subscribe(LIVE, 5, "s").getType()).isEqualTo(BaseCommand.Type.SUCCESS);
        assertThat(subscribe(LIVE, 6, "s").getError().getError()).isEqualTo(ServerError.ConsumerBusy);
        broker.policy(LIVE, TopicRules.MAX_PRODUCERS, "1");
        client.sendProducer(8, LIVE, p -> {});
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getError()).isEqualTo(ServerError.ProducerBusy);
    }

    private void closeConsumer(long consumerId) throws IOException {
        client.send(
                BaseCommand.Type.CLOSE_CONSUMER,
                c -> c.setCloseConsumer().setConsumerId(consumerId).setRequestId(98));
        client.expect(BaseCommand.Type.SUCCESS);
    }

    @Test
    void namesThatPulsarKeepsForItselfAreRefusedAsByPulsar() throws Exception {
        for (String[] each : new String[][] {
            {STORED, "pulsar.dedup"}, {STORED, "pulsar.repl.other"}, {STORED, "pulsar.repl"}, {LIVE, "pulsar.repl.x"}
        }) {
            BaseCommand refusal = subscribe(each[0], 5, each[1]);
            assertThat(refusal.getType()).as(each[1]).isEqualTo(BaseCommand.Type.ERROR);
            assertThat(refusal.getError().getError()).isEqualTo(ServerError.ProducerBusy);
            assertThat(refusal.getError().getMessage())
                    .startsWith("Subscription with reserved subscription name attempted");
        }
        for (String[] each : new String[][] {{STORED, "pulsar.dedup2"}, {STORED, "pulsar"}, {LIVE, "pulsar.dedup"}}) {
            assertThat(subscribe(each[0], 5, each[1]).getType()).as(each[1]).isEqualTo(BaseCommand.Type.SUCCESS);
            closeConsumer(5);
        }
    }

    @Test
    void nothingIsReadCompactedWhereNothingIsStored() throws Exception {
        client.sendSubscribe(5, LIVE, SubType.Exclusive, s -> s.setReadCompacted(true));
        var refusal = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(refusal.getError()).isEqualTo(ServerError.NotAllowedError);
        assertThat(refusal.getMessage()).contains("readCompacted only valid on persistent topics");
        client.sendSubscribe(5, STORED, SubType.Exclusive, s -> s.setReadCompacted(true));
        client.expect(BaseCommand.Type.SUCCESS);
    }
}
