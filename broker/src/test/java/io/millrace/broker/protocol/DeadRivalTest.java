package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck.AckType;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.ProducerAccessMode;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client holds that is connected and dead goes to the next that wants it, long before it is found silent. */
@Timeout(60)
class DeadRivalTest {
    private static final int LARGE_BYTES = 5_000_000;
    private static final int STEP_BYTES = 75_000;
    /** Longer than the broker waits for an answer, and not all of the message. */
    private static final int STEPS = 60;

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private ServerFixture broker;
    private RawClient dead;
    private RawClient next;

    @BeforeEach
    void startBroker(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder, ServerSettings.loopback().withKeepAlive(Duration.ofHours(1)));
        dead = RawClient.connect(broker.port());
        next = RawClient.connect(broker.port());
    }

    @AfterEach
    void stopBroker() throws Exception {
        dead.close();
        next.close();
        broker.close();
    }

    @Test
    @Behaviour("PRO-11")
    void subscriptionsPassToTheNext() throws Exception {
        dead.subscribe(1, "exclusive", SubType.Exclusive);
        dead.subscribe(2, "shared", SubType.Shared);
        dead.sendSubscribe(3, "failover", SubType.Failover, s -> s.setConsumerName("a"));
        dead.expect(BaseCommand.Type.SUCCESS);
        next.sendSubscribe(1, "exclusive", SubType.Exclusive, s -> {});
        next.sendSubscribe(2, "shared", SubType.Exclusive, s -> {});
        next.sendSubscribe(3, "failover", SubType.Failover, s -> s.setConsumerName("b"));
        assertThat(replies(5))
                .containsExactlyInAnyOrder(
                        "SUCCESS 2001", "SUCCESS 2002", "SUCCESS 2003", "active 3 false", "active 3 true");
        dead.expectClosed();
    }

    @Test
    @Behaviour("PRO-11")
    void theNextReaderBeginsWhereItAsksNotWhereTheDeadOneWas() throws Exception {
        long ledgerId = publish("topic", 4);
        read(dead, "topic", ledgerId, 0);
        assertThat(received(dead, 4)).containsExactly(0L, 1L, 2L, 3L);
        dead.send(
                BaseCommand.Type.ACK,
                c -> c.setAck()
                        .setConsumerId(1)
                        .setAckType(AckType.Cumulative)
                        .addMessageId()
                        .setLedgerId(ledgerId)
                        .setEntryId(1));
        dead.expectAlive();
        read(next, "topic", ledgerId, 0);
        assertThat(received(next, 4)).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    @Behaviour("PRO-11")
    void theNextReaderPassesWhatTheDeadOneHasNotAcknowledged() throws Exception {
        long ledgerId = publish("topic", 4);
        read(dead, "topic", ledgerId, 0);
        read(next, "topic", ledgerId, 2);
        assertThat(received(next, 2)).containsExactly(2L, 3L);
    }

    @Test
    @Behaviour("PRO-11")
    void namesAndTopicsOfProducersPassToTheNext() throws Exception {
        dead.producer(1, "name", p -> p.setProducerName("me"));
        dead.producer(2, "exclusive", p -> p.setProducerAccessMode(ProducerAccessMode.Exclusive));
        dead.producer(3, "waited-for");
        next.sendProducer(1, "name", p -> p.setProducerName("me"));
        next.sendProducer(2, "exclusive", p -> {});
        next.sendProducer(3, "waited-for", p -> p.setProducerAccessMode(ProducerAccessMode.WaitForExclusive));
        assertThat(replies(4))
                .containsExactlyInAnyOrder("ready 1001 true", "ready 1002 true", "ready 1003 false", "ready 1003 true");
        dead.expectClosed();
    }

    @Test
    @Behaviour("PRO-11")
    void aClientThatLivesKeepsWhatItHolds() throws Exception {
        dead.subscribe(1, "topic", SubType.Exclusive);
        dead.producer(1, "topic", p -> p.setProducerName("me"));
        next.sendSubscribe(2, "topic", SubType.Exclusive, s -> {});
        dead.answerPing();
        assertThat(next.expect(BaseCommand.Type.ERROR).getError().getError()).isEqualTo(ServerError.ConsumerBusy);
        next.sendProducer(2, "topic", p -> p.setProducerName("me"));
        dead.answerPing();
        assertThat(next.expect(BaseCommand.Type.ERROR).getError().getError()).isEqualTo(ServerError.ProducerBusy);
        dead.publish(1, 1, "unharmed");
    }

    /** Two programs that were given one name are not one program which connects again, however often each has lost its connection. */
    @Test
    @Behaviour("PRO-4")
    void aNameOfTheUsersStaysWithAClientThatLivesWhateverTheEpoch() throws Exception {
        dead.producer(1, "topic", p -> p.setProducerName("me").setUserProvidedProducerName(true));
        next.sendProducer(2, "topic", p -> p.setProducerName("me").setEpoch(7).setUserProvidedProducerName(true));
        dead.answerPing();
        assertThat(next.expect(BaseCommand.Type.ERROR).getError().getError()).isEqualTo(ServerError.ProducerBusy);
        dead.publish(1, 1, "unharmed");
    }

    @Test
    @Behaviour("PRO-11")
    void aClientInTheMiddleOfALargeMessageIsNotDead() throws Exception {
        try (RawClient slow = RawClient.connectNarrow(broker.port())) {
            slow.subscribe(1, "large", SubType.Exclusive);
            next.producer(1, "large");
            next.publish(1, 1, "x".repeat(LARGE_BYTES));
            slow.flow(1, 1);
            slow.awaitOutput();
            next.sendSubscribe(2, "large", SubType.Exclusive, s -> {});
            long begin = System.nanoTime();
            int taken = 0;
            for (long step = 1; step <= STEPS; step = (System.nanoTime() - begin) / STEP_NANOS + 1) {
                int due = (int) step * STEP_BYTES - taken; // more than one step after this thread has waited
                slow.take(due);
                taken += due;
                LockSupport.parkNanos(STEP_NANOS);
            }
            assertThat(next.expect(BaseCommand.Type.ERROR).getError().getError())
                    .isEqualTo(ServerError.ConsumerBusy);
            slow.take(LARGE_BYTES - taken);
        }
    }

    /** Publishes so many messages; the ledger that they are in. */
    private long publish(String topic, int count) throws IOException {
        next.producer(1, topic);
        for (int i = 0; i < count - 1; i++) {
            next.publish(1, i, "m" + i);
        }
        next.write(WireFrames.send(1, count - 1, "m" + (count - 1)));
        return next.expect(BaseCommand.Type.SEND_RECEIPT)
                .getSendReceipt()
                .getMessageId()
                .getLedgerId();
    }

    /** Opens a reader that begins with an entry, and wants 10. */
    private static void read(RawClient client, String topic, long ledgerId, long firstEntryId) throws IOException {
        client.sendSubscribe(
                1,
                topic,
                SubType.Exclusive,
                s -> s.setDurable(false)
                        .setStartMessageId()
                        .setLedgerId(ledgerId)
                        .setEntryId(firstEntryId));
        client.expect(BaseCommand.Type.SUCCESS);
        client.flow(1, 10);
    }

    /** The ids of the next entries that a client gets. */
    private static List<Long> received(RawClient client, int count) throws IOException {
        List<Long> entries = new ArrayList<>();
        while (entries.size() < count) {
            entries.add(client.expect(BaseCommand.Type.MESSAGE)
                    .getMessage()
                    .getMessageId()
                    .getEntryId());
        }
        return entries;
    }

    private List<String> replies(int count) throws IOException {
        List<String> replies = new ArrayList<>();
        while (replies.size() < count) {
            BaseCommand reply = next.receive();
            assertThat(reply).as("after " + replies).isNotNull();
            if (reply.hasPing()) {
                next.send(BaseCommand.Type.PONG, BaseCommand::setPong);
            } else if (reply.hasActiveConsumerChange()) {
                var change = reply.getActiveConsumerChange();
                replies.add("active " + change.getConsumerId() + " " + change.isIsActive());
            } else if (reply.hasProducerSuccess()) {
                var success = reply.getProducerSuccess();
                replies.add("ready " + success.getRequestId() + " " + success.isProducerReady());
            } else if (reply.hasSuccess()) {
                replies.add("SUCCESS " + reply.getSuccess().getRequestId());
            } else {
                replies.add(reply.getType()
                        + (reply.hasError() ? " " + reply.getError().getMessage() : ""));
            }
        }
        return replies;
    }
}
