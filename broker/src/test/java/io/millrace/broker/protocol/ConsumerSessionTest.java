package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck.AckType;
import io.millrace.wire.CommandConsumerStatsResponse;
import io.millrace.wire.CommandMessage;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.ServerError;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerSessionTest {
    private ServerFixture broker;
    private RawClient producer;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        producer = RawClient.connect(broker.port());
        producer.producer(1, "topic");
        client = RawClient.connect(broker.port());
    }

    @AfterEach
    void stop() throws Exception {
        producer.close();
        client.close();
        broker.close();
    }

    @Test
    void messagesArriveByteForByteAsTheyWereSent() throws Exception {
        byte[] message =
                WireFrames.message(WireFrames.metadata(0).setPartitionKey("k").setNumMessagesInBatch(3), "payload");
        producer.write(WireFrames.send(1, 0, message));
        var receipt = producer.expect(BaseCommand.Type.SEND_RECEIPT).getSendReceipt();
        client.subscribe(5, "topic", SubType.Exclusive);
        client.flow(5, 10);
        CommandMessage received = client.expect(BaseCommand.Type.MESSAGE).getMessage();
        assertThat(received.getConsumerId()).isEqualTo(5);
        assertThat(received.getMessageId().getLedgerId())
                .isEqualTo(receipt.getMessageId().getLedgerId());
        assertThat(received.getMessageId().getEntryId())
                .isEqualTo(receipt.getMessageId().getEntryId());
        assertThat(received.getMessageId().hasPartition()).isFalse();
        assertThat(received.getRedeliveryCount()).isZero();
        assertThat(client.rest()).isEqualTo(message);
    }

    /** Those of old clients do not know the number that a checksum begins with, and take it for a size. */
    @ParameterizedTest
    @ValueSource(ints = {0, 6, 10, 11, 21})
    @Behaviour("PRO-6")
    void messagesBeginWithTheChecksumWhereTheClientTakesIt(int version) throws Exception {
        byte[] message = WireFrames.message(WireFrames.metadata(0), "a");
        byte[] unchecked = WireFrames.withoutChecksum(WireFrames.metadata(1), "b");
        producer.write(WireFrames.send(1, 0, message));
        producer.expect(BaseCommand.Type.SEND_RECEIPT);
        producer.write(WireFrames.send(1, 1, unchecked));
        producer.expect(BaseCommand.Type.SEND_RECEIPT);
        try (RawClient old = RawClient.connect(broker.port(), version)) {
            old.subscribe(5, "topic", SubType.Exclusive);
            old.flow(5, 10);
            old.expect(BaseCommand.Type.MESSAGE);
            assertThat(old.rest())
                    .isEqualTo(version < 11 ? WireFrames.withoutChecksum(WireFrames.metadata(0), "a") : message);
            old.expect(BaseCommand.Type.MESSAGE);
            assertThat(old.rest()).isEqualTo(unchecked);
        }
    }

    @ParameterizedTest
    @CsvSource({"8,false,false", "9,false,true", "11,false,true", "12,true,true", "21,true,true"})
    void clientsAreToldOnlyWhatTheirVersionKnows(int version, boolean knowsActive, boolean knowsEnd) throws Exception {
        broker.terminate("topic");
        Set<BaseCommand.Type> told = EnumSet.noneOf(BaseCommand.Type.class);
        try (RawClient old = RawClient.connect(broker.port(), version)) {
            old.subscribe(5, "topic", SubType.Failover);
            old.flow(5, 10);
            for (int round = 0; round < 3; round++) {
                askForStats(old, 5);
                BaseCommand next = old.receive();
                while (next.getType() != BaseCommand.Type.CONSUMER_STATS_RESPONSE) {
                    told.add(next.getType());
                    next = old.receive();
                }
            }
            old.expectAlive();
        }
        assertThat(told.remove(BaseCommand.Type.ACTIVE_CONSUMER_CHANGE)).isEqualTo(knowsActive);
        assertThat(told.remove(BaseCommand.Type.REACHED_END_OF_TOPIC)).isEqualTo(knowsEnd);
        assertThat(told).isEmpty();
    }

    /** Clients take the two ids for different messages else, and readers wait for one that never comes. */
    @Test
    void aMessageOfAPartitionAndTheLastMessageIdSayWhichOne() throws Exception {
        broker.partitioned("orders", 8);
        producer.producer(2, "orders-partition-7");
        producer.write(WireFrames.send(2, 0, WireFrames.message(WireFrames.metadata(0), "payload")));
        producer.expect(BaseCommand.Type.SEND_RECEIPT);
        client.subscribe(5, "orders-partition-7", SubType.Exclusive);
        client.flow(5, 10);
        CommandMessage received = client.expect(BaseCommand.Type.MESSAGE).getMessage();
        assertThat(received.getMessageId().getPartition()).isEqualTo(7);
        assertThat(lastMessageId().getPartition()).isEqualTo(7);
    }

    @Test
    void nothingIsSentBeyondThePermits() throws Exception {
        publish(10);
        client.subscribe(5, "topic", SubType.Exclusive);
        client.expectAlive();
        client.flow(5, 3);
        assertThat(receive(3)).containsExactly(0L, 1L, 2L);
        client.expectAlive();
        client.flow(5, 7);
        assertThat(receive(7)).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    @Behaviour({"PRO-3", "ACK-1"})
    void aTakenExclusiveSubscriptionIsRefused() throws Exception {
        client.subscribe(5, "topic", SubType.Exclusive);
        producer.sendSubscribe(6, "topic", SubType.Exclusive, s -> {});
        client.answerPing();
        var error = producer.expect(BaseCommand.Type.ERROR).getError();
        assertThat(error.getError()).isEqualTo(ServerError.ConsumerBusy);
        assertThat(error.getRequestId()).isEqualTo(2_006);
        client.expectAlive();
    }

    @Test
    @Behaviour("PRO-3")
    void theSameSubscribeTwiceIsAnsweredTwiceAndAnotherSubscriptionIsRefused() throws Exception {
        client.sendSubscribe(5, "topic", SubType.Exclusive, s -> s.setConsumerName("c"));
        client.expect(BaseCommand.Type.SUCCESS);
        client.sendSubscribe(5, "topic", SubType.Exclusive, s -> s.setConsumerName("c"));
        client.expect(BaseCommand.Type.SUCCESS);
        client.sendSubscribe(5, "topic", SubType.Exclusive, s -> s.setSubscription("other"));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("in use");
    }

    @Test
    void subscribingWithoutLeaveToCreateNeedsATopic() throws Exception {
        client.sendSubscribe(5, "missing", SubType.Exclusive, s -> s.setForceTopicCreation(false));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getError()).isEqualTo(ServerError.TopicNotFound);
        client.sendSubscribe(5, "topic", SubType.Exclusive, s -> s.setForceTopicCreation(false));
        client.expect(BaseCommand.Type.SUCCESS);
    }

    @Test
    void aSubscriptionWithANameTooLongToStoreIsRefused() throws Exception {
        client.sendSubscribe(5, "topic", SubType.Shared, s -> s.setSubscription("n".repeat(100_000)));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("at most 1024");
        client.subscribe(5, "topic", SubType.Shared);
    }

    @Test
    @Behaviour("PRO-3")
    void anAckWithARequestIdIsAnsweredOnceDurable() throws Exception {
        publish(2);
        client.subscribe(5, "topic", SubType.Shared);
        client.flow(5, 10);
        MessageIdData first =
                client.expect(BaseCommand.Type.MESSAGE).getMessage().getMessageId();
        client.expect(BaseCommand.Type.MESSAGE);
        ack(AckType.Individual, 70, first);
        var response = client.expect(BaseCommand.Type.ACK_RESPONSE).getAckResponse();
        assertThat(response.getRequestId()).isEqualTo(70);
        assertThat(response.getConsumerId()).isEqualTo(5);
        assertThat(response.hasError()).isFalse();
        ack(AckType.Cumulative, 71, first, first);
        assertThat(client.expect(BaseCommand.Type.ACK_RESPONSE).getAckResponse().getError())
                .isEqualTo(ServerError.NotAllowedError);
    }

    @Test
    @Behaviour("PRO-5")
    void aLostConnectionGivesBackItsEntriesToTheNextConsumer() throws Exception {
        publish(3);
        client.subscribe(5, "topic", SubType.Shared);
        client.flow(5, 10);
        receive(3);
        client.close();
        client = RawClient.connect(broker.port());
        client.subscribe(6, "topic", SubType.Shared);
        client.flow(6, 10);
        for (int i = 0; i < 3; i++) {
            CommandMessage message = client.expect(BaseCommand.Type.MESSAGE).getMessage();
            assertThat(message.getMessageId().getEntryId()).isEqualTo(i);
            assertThat(message.getRedeliveryCount()).isEqualTo(1);
        }
    }

    @Test
    void unacknowledgedMessagesComeAgainWithTheNewEpoch() throws Exception {
        publish(3);
        client.sendSubscribe(5, "topic", SubType.Exclusive, s -> s.setConsumerEpoch(0));
        client.expect(BaseCommand.Type.SUCCESS);
        client.flow(5, 10);
        assertThat(receive(3)).containsExactly(0L, 1L, 2L);
        client.send(
                BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES,
                c -> c.setRedeliverUnacknowledgedMessages().setConsumerId(5).setConsumerEpoch(1));
        for (int i = 0; i < 3; i++) {
            CommandMessage message = client.expect(BaseCommand.Type.MESSAGE).getMessage();
            assertThat(message.getMessageId().getEntryId()).isEqualTo(i);
            assertThat(message.getConsumerEpoch()).isEqualTo(1);
        }
    }

    @Test
    @Behaviour({"PRO-3", "ACK-9"})
    void aSeekClosesTheConsumerBeforeItSucceeds() throws Exception {
        publish(5);
        client.subscribe(5, "topic", SubType.Exclusive);
        client.flow(5, 10);
        receive(5);
        client.send(
                BaseCommand.Type.SEEK,
                c -> c.setSeek()
                        .setConsumerId(5)
                        .setRequestId(33)
                        .setMessageId()
                        .setLedgerId(-1)
                        .setEntryId(-1));
        assertThat(client.expect(BaseCommand.Type.CLOSE_CONSUMER)
                        .getCloseConsumer()
                        .getConsumerId())
                .isEqualTo(5);
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(33);
        client.subscribe(5, "topic", SubType.Exclusive);
        client.flow(5, 10);
        assertThat(receive(5)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void theLastMessageIdNamesTheLastOfABatch() throws Exception {
        client.subscribe(5, "topic", SubType.Exclusive);
        assertThat(lastMessageId().getEntryId()).isEqualTo(-1);
        publish(2);
        assertThat(lastMessageId().getEntryId()).isEqualTo(1);
        assertThat(lastMessageId().getBatchIndex()).isEqualTo(-1);
        producer.write(
                WireFrames.send(1, 9, WireFrames.message(WireFrames.metadata(9).setNumMessagesInBatch(4), "four")));
        producer.expect(BaseCommand.Type.SEND_RECEIPT);
        assertThat(lastMessageId().getEntryId()).isEqualTo(2);
        assertThat(lastMessageId().getBatchIndex()).isEqualTo(3);
    }

    @Test
    void aReaderStartsAtTheMessageItNames() throws Exception {
        publish(5);
        client.subscribe(5, "topic", SubType.Exclusive);
        client.flow(5, 1);
        long ledgerId = client.expect(BaseCommand.Type.MESSAGE)
                .getMessage()
                .getMessageId()
                .getLedgerId();
        client.sendSubscribe(
                6,
                "topic",
                SubType.Exclusive,
                s -> s.setSubscription("reader")
                        .setDurable(false)
                        .setStartMessageId()
                        .setLedgerId(ledgerId)
                        .setEntryId(3)
                        .setBatchIndex(0));
        client.expect(BaseCommand.Type.SUCCESS);
        client.flow(6, 10);
        assertThat(receive(2)).containsExactly(3L, 4L);
    }

    @Test
    @Behaviour("PRO-3")
    void unsubscribingIsAnsweredAndEndsTheConsumer() throws Exception {
        client.subscribe(5, "topic", SubType.Shared);
        client.send(
                BaseCommand.Type.UNSUBSCRIBE,
                c -> c.setUnsubscribe().setConsumerId(5).setRequestId(8));
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(8);
        client.send(
                BaseCommand.Type.UNSUBSCRIBE,
                c -> c.setUnsubscribe().setConsumerId(5).setRequestId(9));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getRequestId())
                .isEqualTo(9);
    }

    @Test
    void statsTellPermitsAndUnacknowledgedMessages() throws Exception {
        publish(2);
        client.subscribe(5, "topic", SubType.Shared);
        client.flow(5, 10);
        receive(2);
        client.send(
                BaseCommand.Type.CONSUMER_STATS,
                c -> c.setConsumerStats().setConsumerId(5).setRequestId(8));
        var stats = client.expect(BaseCommand.Type.CONSUMER_STATS_RESPONSE).getConsumerStatsResponse();
        assertThat(stats.getRequestId()).isEqualTo(8);
        assertThat(stats.getAvailablePermits()).isEqualTo(8);
        assertThat(stats.getUnackedMessages()).isEqualTo(2);
        assertThat(stats.getMsgBacklog()).isEqualTo(2);
        assertThat(stats.getMsgRateOut()).isBetween(Double.MIN_VALUE, 2.0);
        assertThat(stats.getMsgThroughputOut()).isGreaterThan(stats.getMsgRateOut());
        assertThat(stats.getMsgRateRedeliver()).isZero();
        assertThat(stats.getMessageAckRate()).isZero();
        client.send(
                BaseCommand.Type.CONSUMER_STATS,
                c -> c.setConsumerStats().setConsumerId(6).setRequestId(9));
        assertThat(client.expect(BaseCommand.Type.CONSUMER_STATS_RESPONSE)
                        .getConsumerStatsResponse()
                        .getErrorCode())
                .isEqualTo(ServerError.ConsumerNotFound);
    }

    @ParameterizedTest
    @CsvSource({"Exclusive,Exclusive", "Shared,Shared", "Failover,Failover", "Key_Shared,Key_Shared"})
    void statsTellTheTypeAndTheTimeAsPulsarDoes(SubType type, String word) throws Exception {
        long before = System.currentTimeMillis();
        client.subscribe(5, "topic", type);
        var stats = statsOf(client, 5);
        assertThat(stats.getType()).isEqualTo(word);
        long since = OffsetDateTime.parse(stats.getConnectedSince()).toInstant().toEpochMilli();
        assertThat(since).isBetween(before, System.currentTimeMillis());
        assertThat(stats.getAddress()).isNotEmpty();
    }

    @Test
    void statsAreOfTheConsumerThatAsksThoughAnotherConnectionHasItsNumber() throws Exception {
        client.sendSubscribe(5, "topic", SubType.Shared, s -> s.setConsumerName("a"));
        client.expect(BaseCommand.Type.SUCCESS);
        producer.sendSubscribe(5, "topic", SubType.Shared, s -> s.setConsumerName("b"));
        producer.expect(BaseCommand.Type.SUCCESS);
        client.flow(5, 10);
        producer.flow(5, 20);
        assertThat(statsOf(client, 5).getConsumerName()).isEqualTo("a");
        assertThat(statsOf(client, 5).getAvailablePermits()).isEqualTo(10);
        assertThat(statsOf(producer, 5).getConsumerName()).isEqualTo("b");
        assertThat(statsOf(producer, 5).getAvailablePermits()).isEqualTo(20);
    }

    private static void askForStats(RawClient asking, long consumerId) throws Exception {
        asking.send(
                BaseCommand.Type.CONSUMER_STATS,
                c -> c.setConsumerStats().setConsumerId(consumerId).setRequestId(8));
    }

    private static CommandConsumerStatsResponse statsOf(RawClient asking, long consumerId) throws Exception {
        askForStats(asking, consumerId);
        return asking.expect(BaseCommand.Type.CONSUMER_STATS_RESPONSE).getConsumerStatsResponse();
    }

    @Test
    void aFailoverStandbyIsToldWhenItBecomesActive() throws Exception {
        client.sendSubscribe(5, "topic", SubType.Failover, s -> s.setConsumerName("a"));
        assertThat(activeChange(client)).isTrue();
        producer.sendSubscribe(6, "topic", SubType.Failover, s -> s.setConsumerName("b"));
        assertThat(activeChange(producer)).isFalse();
        client.send(
                BaseCommand.Type.CLOSE_CONSUMER,
                c -> c.setCloseConsumer().setConsumerId(5).setRequestId(1));
        client.expect(BaseCommand.Type.SUCCESS);
        BaseCommand change = producer.expect(BaseCommand.Type.ACTIVE_CONSUMER_CHANGE);
        assertThat(change.getActiveConsumerChange().isIsActive()).isTrue();
        assertThat(change.getActiveConsumerChange().getConsumerId()).isEqualTo(6);
    }

    private static boolean activeChange(RawClient client) throws Exception {
        client.expect(BaseCommand.Type.SUCCESS);
        return client.expect(BaseCommand.Type.ACTIVE_CONSUMER_CHANGE)
                .getActiveConsumerChange()
                .isIsActive();
    }

    @Test
    @Behaviour("ACK-10")
    void theLastMessageOfABatchHasAnIndexEvenIfItIsAlone() throws Exception {
        client.subscribe(5, "topic", SubType.Shared);
        publish(1);
        assertThat(lastMessageId().getBatchIndex()).isEqualTo(-1);
        for (int messages = 1; messages <= 3; messages++) {
            producer.write(WireFrames.send(
                    1,
                    messages,
                    WireFrames.message(WireFrames.metadata(messages).setNumMessagesInBatch(messages), "batch")));
            producer.expect(BaseCommand.Type.SEND_RECEIPT);
            assertThat(lastMessageId().getBatchIndex()).isEqualTo(messages - 1);
        }
    }

    @Test
    @Behaviour("PRO-3")
    void whatWasAskedBeforeLeavingIsAnsweredAlthoughTheSubscriptionEnds() throws Exception {
        int questions = 20;
        for (int round = 0; round < 100; round++) {
            String subscription = "ending-" + round;
            client.sendSubscribe(5, "topic", SubType.Shared, s -> s.setSubscription(subscription));
            client.expect(BaseCommand.Type.SUCCESS);
            producer.sendSubscribe(6, "topic", SubType.Shared, s -> s.setSubscription(subscription));
            producer.expect(BaseCommand.Type.SUCCESS);
            producer.send(
                    BaseCommand.Type.UNSUBSCRIBE,
                    c -> c.setUnsubscribe().setConsumerId(6).setRequestId(9).setForce(true));
            for (int i = 0; i < questions; i++) {
                long requestId = i;
                client.send(
                        BaseCommand.Type.CONSUMER_STATS,
                        c -> c.setConsumerStats().setConsumerId(5).setRequestId(requestId));
            }
            client.send(
                    BaseCommand.Type.CLOSE_CONSUMER,
                    c -> c.setCloseConsumer().setConsumerId(5).setRequestId(questions));
            Set<Long> answered = new HashSet<>();
            while (answered.size() <= questions) {
                BaseCommand answer = client.receive();
                assertThat(answer).as("round " + round).isNotNull();
                if (answer.hasSuccess()) {
                    assertThat(answered.add(answer.getSuccess().getRequestId())).isTrue();
                } else if (answer.hasConsumerStatsResponse()) {
                    assertThat(answered.add(answer.getConsumerStatsResponse().getRequestId()))
                            .isTrue();
                }
            }
            producer.expect(BaseCommand.Type.SUCCESS);
        }
    }

    private MessageIdData lastMessageId() throws Exception {
        client.send(
                BaseCommand.Type.GET_LAST_MESSAGE_ID,
                c -> c.setGetLastMessageId().setConsumerId(5).setRequestId(12));
        var response =
                client.expect(BaseCommand.Type.GET_LAST_MESSAGE_ID_RESPONSE).getGetLastMessageIdResponse();
        assertThat(response.getRequestId()).isEqualTo(12);
        return response.getLastMessageId();
    }

    private void ack(AckType type, long requestId, MessageIdData... ids) throws Exception {
        client.send(BaseCommand.Type.ACK, c -> {
            var ack = c.setAck().setConsumerId(5).setAckType(type).setRequestId(requestId);
            for (MessageIdData id : ids) {
                ack.addMessageId().copyFrom(id);
            }
        });
    }

    private void publish(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            producer.publish(1, i, "message " + i);
        }
    }

    /** The entry ids of the next messages. */
    private List<Long> receive(int count) throws Exception {
        List<Long> entryIds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entryIds.add(client.expect(BaseCommand.Type.MESSAGE)
                    .getMessage()
                    .getMessageId()
                    .getEntryId());
        }
        return entryIds;
    }
}
