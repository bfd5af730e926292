package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.TopicRules;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandError;
import io.millrace.wire.CommandSendReceipt;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.Schema;
import io.millrace.wire.ServerError;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProducerSessionTest {
    private ServerFixture broker;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        client = RawClient.connect(broker.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    @Behaviour("PRO-3")
    void receiptsComeInSendOrderWithAscendingPositions() throws Exception {
        client.producer(7, "order");
        ByteArrayOutputStream sends = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            sends.writeBytes(WireFrames.send(7, 1_000 + i, "message " + i));
        }
        client.write(sends.toByteArray());
        MessageIdData last = null;
        for (int i = 0; i < 500; i++) {
            CommandSendReceipt receipt =
                    client.expect(BaseCommand.Type.SEND_RECEIPT).getSendReceipt();
            assertThat(receipt.getProducerId()).isEqualTo(7);
            assertThat(receipt.getSequenceId()).isEqualTo(1_000 + i);
            if (last != null) {
                assertThat(receipt.getMessageId().getEntryId()).isEqualTo(last.getEntryId() + 1);
            }
            last = receipt.getMessageId();
        }
    }

    @Test
    void theHighestSequenceIdOfABatchIsEchoed() throws Exception {
        client.producer(1, "batches");
        client.write(batch(10, WireFrames.message(WireFrames.metadata(10).setNumMessagesInBatch(5), "five")));
        CommandSendReceipt receipt =
                client.expect(BaseCommand.Type.SEND_RECEIPT).getSendReceipt();
        assertThat(receipt.getSequenceId()).isEqualTo(10);
        assertThat(receipt.getHighestSequenceId()).isEqualTo(14);
    }

    /** Clients look for the last message's, and pass over a refusal of another number. */
    @Test
    @Behaviour("PRO-2")
    void aRefusedBatchIsNamedByItsLastMessage() throws Exception {
        client.producer(1, "batches");
        broker.policy("batches", AppliedPolicies.MAX_MESSAGE, "1000");
        client.producer(2, "batches"); // comes to the topic behind the policy
        byte[] unsound = WireFrames.message(WireFrames.metadata(10).setNumMessagesInBatch(5), "five");
        unsound[unsound.length - 1]++;
        byte[] large = WireFrames.message(WireFrames.metadata(15).setNumMessagesInBatch(5), "x".repeat(1_001));
        client.write(batch(10, unsound));
        client.write(batch(15, large));
        assertThat(client.expect(BaseCommand.Type.SEND_ERROR).getSendError().getSequenceId())
                .isEqualTo(14);
        assertThat(client.expect(BaseCommand.Type.SEND_ERROR).getSendError().getSequenceId())
                .isEqualTo(19);
    }

    private static byte[] batch(long firstSequenceId, byte[] message) {
        return WireFrames.frame(
                WireFrames.command(
                        BaseCommand.Type.SEND,
                        c -> c.setSend()
                                .setProducerId(1)
                                .setSequenceId(firstSequenceId)
                                .setHighestSequenceId(firstSequenceId + 4)
                                .setNumMessages(5)),
                message);
    }

    @Test
    void theVersionOfItsSchemaIsInTheAnswer() throws Exception {
        client.sendProducer(
                1,
                "typed",
                p -> p.setSchema().setName("s").setType(Schema.Type.String).setSchemaData(new byte[0]));
        var success = client.expect(BaseCommand.Type.PRODUCER_SUCCESS).getProducerSuccess();
        assertThat(success.getRequestId()).isEqualTo(1_001);
        assertThat(success.getProducerName()).isNotBlank();
        assertThat(success.isProducerReady()).isTrue();
        assertThat(success.getLastSequenceId()).isEqualTo(-1);
        assertThat(success.getSchemaVersion()).containsExactly(0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    @Behaviour("PRO-3")
    void theSameProducerCommandTwiceIsAnsweredTwiceAndAnotherTopicIsRefused() throws Exception {
        String name = client.producer(1, "twice");
        assertThat(client.producer(1, "twice")).isEqualTo(name);
        client.sendProducer(1, "other", p -> {});
        var error = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(error.getMessage()).contains("in use").contains("twice");
        client.publish(1, 1, "still open");
    }

    @Test
    @Behaviour("PRO-4")
    void aTakenNameIsRefusedUntilItsProducerCloses() throws Exception {
        assertThat(client.producer(1, "names", p -> p.setProducerName("me"))).isEqualTo("me");
        try (RawClient other = RawClient.connect(broker.port())) {
            other.sendProducer(1, "names", p -> p.setProducerName("me"));
            client.answerPing();
            var error = other.expect(BaseCommand.Type.ERROR).getError();
            assertThat(error.getError()).isEqualTo(ServerError.ProducerBusy);
            assertThat(error.getRequestId()).isEqualTo(1_001);
            assertThat(error.getMessage()).contains("me");
            closeProducer(client, 1);
            assertThat(other.producer(1, "names", p -> p.setProducerName("me"))).isEqualTo("me");
        }
    }

    @Test
    @Behaviour("PRO-4")
    void aReconnectingProducerFencesItsOlderSelf() throws Exception {
        client.producer(1, "fence", p -> p.setProducerName("me").setEpoch(1).setUserProvidedProducerName(false));
        try (RawClient other = RawClient.connect(broker.port())) {
            other.producer(1, "fence", p -> p.setProducerName("me").setEpoch(2).setUserProvidedProducerName(false));
            BaseCommand close = client.expect(BaseCommand.Type.CLOSE_PRODUCER);
            assertThat(close.getCloseProducer().getProducerId()).isEqualTo(1);
            client.write(WireFrames.send(1, 1, "too late"));
            client.expectAlive();
            other.publish(1, 1, "mine now");
        }
    }

    @Test
    @Behaviour("PRO-5")
    void aLostConnectionFreesItsNamesAtOnce() throws Exception {
        client.producer(1, "lost", p -> p.setProducerName("me"));
        client.close();
        try (RawClient other = RawClient.connect(broker.port())) {
            List<ServerError> refusals = new ArrayList<>();
            other.sendProducer(1, "lost", p -> p.setProducerName("me"));
            BaseCommand answer = other.receive();
            // The broker may see the new connection before the end of the old one.
            while (answer.getType() == BaseCommand.Type.ERROR && refusals.size() < 10_000) {
                refusals.add(answer.getError().getError());
                other.sendProducer(1, "lost", p -> p.setProducerName("me"));
                answer = other.receive();
            }
            assertThat(answer.getType()).isEqualTo(BaseCommand.Type.PRODUCER_SUCCESS);
            assertThat(refusals).allMatch(ServerError.ProducerBusy::equals);
        }
    }

    @Test
    @Behaviour("PRO-3")
    void closingWaitsForTheReceiptsOfWhatWasSentBefore() throws Exception {
        client.producer(1, "closing");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 50; i++) {
            bytes.writeBytes(WireFrames.send(1, i, "message " + i));
        }
        bytes.writeBytes(WireFrames.frame(WireFrames.command(
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(1).setRequestId(5))));
        client.write(bytes.toByteArray());
        for (int i = 0; i < 50; i++) {
            assertThat(client.expect(BaseCommand.Type.SEND_RECEIPT)
                            .getSendReceipt()
                            .getSequenceId())
                    .isEqualTo(i);
        }
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(5);
    }

    @Test
    @Behaviour("PRO-3")
    void aProducerClosedBeforeItIsOpenAnswersBothRequests() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(WireFrames.frame(WireFrames.command(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer()
                        .setTopic("hasty")
                        .setProducerId(1)
                        .setProducerName("me")
                        .setRequestId(4))));
        bytes.writeBytes(WireFrames.frame(WireFrames.command(
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(1).setRequestId(5))));
        client.write(bytes.toByteArray());
        BaseCommand first = client.receive();
        assertThat(first.getType()).isIn(BaseCommand.Type.PRODUCER_SUCCESS, BaseCommand.Type.ERROR);
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(5);
        assertThat(client.producer(1, "hasty", p -> p.setProducerName("me"))).isEqualTo("me");
    }

    @Test
    @Behaviour("ACK-1")
    void theSubscriptionAProducerWantsIsFreeForTheFirstConsumerOfAnyType() throws Exception {
        client.write(initialSubscription("sub"));
        client.sendSubscribe(1, "letters", SubType.Exclusive, s -> {});
        assertThat(List.of(client.receive().getType(), client.receive().getType()))
                .containsExactlyInAnyOrder(BaseCommand.Type.PRODUCER_SUCCESS, BaseCommand.Type.SUCCESS);
        client.publish(1, 0, "dead");
        client.flow(1, 1);
        client.expect(BaseCommand.Type.MESSAGE);
    }

    @Test
    void aProducerWhoseSubscriptionCannotBeMadeIsRefused() throws Exception {
        client.write(initialSubscription("n".repeat(2_000)));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("at most 1024");
    }

    /** As consumers may make none there. */
    @Test
    void noSubscriptionIsMadeForAProducerWhereThePolicyHasClientsMakeNone() throws Exception {
        client.producer(2, "letters");
        broker.policy("letters", TopicRules.JOIN_MAKES, "false");
        client.write(initialSubscription("sub"));
        CommandError refusal = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(refusal.getError()).isEqualTo(ServerError.NotAllowedError);
        assertThat(refusal.getMessage()).contains("Could not create the initial subscription");
        broker.policy("letters", TopicRules.JOIN_MAKES, "true");
        client.write(initialSubscription("sub"));
        client.expect(BaseCommand.Type.PRODUCER_SUCCESS);
    }

    /** What is sent to any of them may be on its way. */
    @Test
    void everyProducerThatTheBrokerHasClosedMayStillBeSentTo() throws Exception {
        int count = 1_200;
        for (int i = 0; i < count; i++) {
            client.producer(i, "many");
        }
        broker.unload("many");
        for (int i = 0; i < count; i++) {
            client.expect(BaseCommand.Type.CLOSE_PRODUCER);
        }
        for (int i = 0; i < count; i++) {
            client.write(WireFrames.send(i, 0, "late"));
        }
        client.expectAlive();
    }

    private static byte[] initialSubscription(String name) {
        return WireFrames.frame(WireFrames.command(
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer()
                        .setProducerId(1)
                        .setTopic("letters")
                        .setInitialSubscriptionName(name)
                        .setRequestId(3)));
    }

    @Test
    @Behaviour("PRO-8")
    void transactionsAreRefusedWhereTheyTouchProducers() throws Exception {
        client.sendProducer(1, "txn", p -> p.setTxnEnabled(true));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("transactions");
        client.producer(2, "txn");
        byte[] message = WireFrames.message(WireFrames.metadata(1), "x");
        client.write(WireFrames.frame(
                WireFrames.command(
                        BaseCommand.Type.SEND,
                        c -> c.setSend()
                                .setProducerId(2)
                                .setSequenceId(1)
                                .setTxnidMostBits(1)
                                .setTxnidLeastBits(2)),
                message));
        assertThat(client.expect(BaseCommand.Type.SEND_ERROR).getSendError().getError())
                .isEqualTo(ServerError.NotAllowedError);
        client.publish(2, 2, "without");
    }

    static void closeProducer(RawClient client, long producerId) throws Exception {
        client.send(
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(producerId).setRequestId(99));
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(99);
    }
}
