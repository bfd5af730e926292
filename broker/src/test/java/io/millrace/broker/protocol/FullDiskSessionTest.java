package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogConfig;
import io.millrace.broker.topic.FaultyDisk;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandError;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FullDiskSessionTest {
    private static final String KIB = "x".repeat(1_024);

    private final FaultyDisk disk = new FaultyDisk();
    private ServerFixture broker;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        LogConfig config = LogConfig.defaults(folder).withJournal(1 << 20, 2);
        broker = new ServerFixture(config, disk, ServerSettings.loopback());
        client = RawClient.connect(broker.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    /** The Java client does that after a refused publish: told that it has its producer, it would publish ten times a second. */
    @Test
    @Behaviour("LOG-10")
    void aProducerOpenedOnceMoreIsRefusedWhileTheDiskIsFullAndPublishesWhenThereIsRoom() throws Exception {
        client.producer(1, "orders");
        disk.full(true);
        long sequenceId = 0;
        BaseCommand answer = publish(sequenceId);
        while (answer.getType() == BaseCommand.Type.SEND_RECEIPT) {
            answer = publish(++sequenceId);
        }
        assertThat(answer.getSendError().getError()).isEqualTo(ServerError.PersistenceError);

        client.sendProducer(1, "orders", c -> {});
        CommandError refusal = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(refusal.getError()).isEqualTo(ServerError.PersistenceError);
        assertThat(refusal.getMessage()).contains("orders").contains("full");

        disk.full(false);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        awaitProducer(deadline);
        answer = publish(sequenceId);
        while (answer.getType() == BaseCommand.Type.SEND_ERROR) {
            // One of the writers of the log had met the full disk before there was room, and said so only now.
            assertThat(answer.getSendError().getError()).isEqualTo(ServerError.PersistenceError);
            awaitProducer(deadline);
            answer = publish(sequenceId);
        }
        assertThat(answer.getType()).isEqualTo(BaseCommand.Type.SEND_RECEIPT);
    }

    /** It is not connected to anything any more; its client is to connect it again, or to hear why that cannot be. */
    @Test
    @Behaviour("PRO-3")
    void aConsumerWhoseUnsubscribeCannotBeStoredIsClosed() throws Exception {
        client.producer(1, "orders");
        client.subscribe(7, "orders", SubType.Exclusive);
        disk.failForces();
        assertThat(publish(0).getType()).isEqualTo(BaseCommand.Type.SEND_ERROR);
        unsubscribe(7, 99);
        CommandError refusal = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(refusal.getRequestId()).isEqualTo(99);
        assertThat(client.expect(BaseCommand.Type.CLOSE_CONSUMER)
                        .getCloseConsumer()
                        .getConsumerId())
                .isEqualTo(7);
        client.send(
                BaseCommand.Type.GET_LAST_MESSAGE_ID,
                c -> c.setGetLastMessageId().setConsumerId(7).setRequestId(100));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getRequestId())
                .isEqualTo(100);
    }

    /** Its client has given up the first, which is on its way to the disk: it holds. */
    @Test
    @Behaviour("PRO-3")
    void aSecondUnsubscribeDoesNotBringTheSubscriptionBack() throws Exception {
        client.subscribe(7, "orders", SubType.Exclusive);
        CountDownLatch forced = new CountDownLatch(1);
        disk.holdForces(forced);
        unsubscribe(7, 99);
        unsubscribe(7, 100);
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getRequestId())
                .isEqualTo(100);
        forced.countDown();
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(99);
        client.expectAlive();
    }

    /** On that answer its client throws away what it has got, and owes no permits for it. */
    @Test
    @Behaviour("ACK-9")
    void aConsumerThatComesBackFromASeekWaitsUntilTheSeekIsAnswered() throws Exception {
        client.producer(1, "orders");
        client.subscribe(7, "orders", SubType.Exclusive);
        client.flow(7, 10);
        for (int i = 0; i < 3; i++) {
            assertThat(List.of(publish(i).getType(), client.receive().getType()))
                    .containsExactlyInAnyOrder(BaseCommand.Type.SEND_RECEIPT, BaseCommand.Type.MESSAGE);
        }
        CountDownLatch forced = new CountDownLatch(1);
        disk.holdForces(forced);
        client.send(
                BaseCommand.Type.SEEK,
                c -> c.setSeek()
                        .setConsumerId(7)
                        .setRequestId(33)
                        .setMessageId()
                        .setLedgerId(-1)
                        .setEntryId(-1));
        client.expect(BaseCommand.Type.CLOSE_CONSUMER);
        client.sendSubscribe(8, "orders", SubType.Exclusive, s -> {});
        client.sendSubscribe(9, "orders", SubType.Exclusive, s -> {});
        client.expectAlive();
        forced.countDown();
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(33);
        assertThat(client.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(2_008);
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getRequestId())
                .isEqualTo(2_009);
        client.flow(8, 10);
        for (int i = 0; i < 3; i++) {
            client.expect(BaseCommand.Type.MESSAGE);
        }
    }

    private void unsubscribe(long consumerId, long requestId) throws IOException {
        client.send(
                BaseCommand.Type.UNSUBSCRIBE,
                c -> c.setUnsubscribe().setConsumerId(consumerId).setRequestId(requestId));
    }

    private BaseCommand publish(long sequenceId) throws IOException {
        client.write(WireFrames.send(1, sequenceId, KIB));
        return client.receive();
    }

    private void awaitProducer(long deadline) throws IOException {
        BaseCommand.Type answer = BaseCommand.Type.ERROR;
        while (answer == BaseCommand.Type.ERROR && System.nanoTime() - deadline < 0) {
            client.sendProducer(1, "orders", c -> {});
            answer = client.receive().getType();
        }
        assertThat(answer).isEqualTo(BaseCommand.Type.PRODUCER_SUCCESS);
    }
}
