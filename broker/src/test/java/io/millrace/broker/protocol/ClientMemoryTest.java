package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.KeySharedMode;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What connections and what they open take of a small budget, and give back. */
@Timeout(60)
class ClientMemoryTest {
    private static final long HEAP_BYTES = 1 << 20;
    private static final int MANY = 1_000;

    private final MemoryBudget memory = new MemoryBudget(HEAP_BYTES);
    private TopicsFixture topics;
    private ProtocolServer server;
    private RawClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        topics = new TopicsFixture(folder, memory);
        server = ProtocolServer.start(ServerSettings.loopback(), topics.namespaces());
        client = RawClient.connect(server.port());
    }

    @AfterEach
    void everythingIsGivenBack() throws IOException {
        client.close();
        awaitThat(() -> memory.heldBytes(Kind.CONNECTIONS) == 0);
        awaitThat(() -> memory.heldBytes(Kind.PRODUCERS) == 0);
        awaitThat(() -> memory.heldBytes(Kind.CONSUMERS) == 0);
        server.close();
        topics.close();
        awaitThat(() -> memory.heldBytes() == 0);
    }

    @Test
    @Behaviour("PRO-14")
    void aConnectionTooManyIsTurnedAwayWithAReasonAndTheOthersLive() throws IOException {
        List<RawClient> others = new ArrayList<>();
        BaseCommand answer = connected(others);
        while (answer.getType() == BaseCommand.Type.CONNECTED) {
            assertThat(others).hasSizeLessThan(MANY);
            answer = connected(others);
        }
        assertThat(answer.getError().getError()).isEqualTo(ServerError.TooManyRequests);
        assertThat(answer.getError().getMessage()).contains("no memory for more connections", "-Xmx");
        others.get(others.size() - 1).expectClosed();
        client.expectAlive();
        for (RawClient other : others) {
            other.close();
        }
        awaitThat(() -> server.connections() == 1);
        try (RawClient next = RawClient.connect(server.port())) {
            next.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-14")
    void aProducerTooManyIsRefusedAndThereIsRoomWhenOneIsClosed() throws IOException {
        int opened = 0;
        BaseCommand answer = producer(opened);
        while (answer.getType() == BaseCommand.Type.PRODUCER_SUCCESS) {
            opened++;
            assertThat(opened).isLessThan(MANY);
            answer = producer(opened);
        }
        requireRefused(answer, "producers");
        client.publish(1, 0, "unharmed");
        client.send(
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(1).setRequestId(1));
        client.expect(BaseCommand.Type.SUCCESS);
        assertThat(producer(MANY).getType()).isEqualTo(BaseCommand.Type.PRODUCER_SUCCESS);
    }

    @Test
    @Behaviour("PRO-14")
    void aConsumerTooManyIsRefusedAndThereIsRoomWhenOneIsClosed() throws IOException {
        int opened = 0;
        BaseCommand answer = consumer(opened, "sub");
        while (answer.getType() == BaseCommand.Type.SUCCESS) {
            opened++;
            assertThat(opened).isLessThan(MANY);
            answer = consumer(opened, "sub");
        }
        requireRefused(answer, "consumers");
        client.send(
                BaseCommand.Type.CLOSE_CONSUMER,
                c -> c.setCloseConsumer().setConsumerId(1).setRequestId(1));
        client.expect(BaseCommand.Type.SUCCESS);
        assertThat(consumer(MANY, "sub").getType()).isEqualTo(BaseCommand.Type.SUCCESS);
    }

    @Test
    @Behaviour("PRO-14")
    void theRangesOfAStickyConsumerCountToo() throws IOException {
        client.sendSubscribe(1, "topic", SubType.Key_Shared, s -> {
            s.setKeySharedMeta().setKeySharedMode(KeySharedMode.STICKY);
            for (int i = 0; i < 20_000; i++) {
                s.getKeySharedMeta().addHashRange().setStart(i).setEnd(i);
            }
        });
        requireRefused(client.receive(), "consumers");
        client.expectAlive();
    }

    @Test
    @Behaviour("PRO-14")
    void whatClientsSayOfTheirProducersAndConsumersCountsToo() throws IOException {
        String long50 = "x".repeat(50_000);
        long before = memory.heldBytes(Kind.PRODUCERS);
        client.sendProducer(1, "topic", p -> p.addMetadata().setKey("key").setValue(long50));
        client.expect(BaseCommand.Type.PRODUCER_SUCCESS);
        assertThat(memory.heldBytes(Kind.PRODUCERS)).isGreaterThan(before + long50.length());
        long consumers = memory.heldBytes(Kind.CONSUMERS);
        client.sendSubscribe(
                1, "topic", SubType.Shared, s -> s.addMetadata().setKey("key").setValue(long50));
        client.expect(BaseCommand.Type.SUCCESS);
        assertThat(memory.heldBytes(Kind.CONSUMERS)).isGreaterThan(consumers + long50.length());
    }

    @Test
    @Behaviour("PRO-14")
    void aSubscriptionTooManyIsRefusedAndThereIsRoomWhenOneIsGone() throws IOException {
        int opened = 0;
        BaseCommand answer = consumer(opened, "sub-0");
        while (answer.getType() == BaseCommand.Type.SUCCESS) {
            opened++;
            assertThat(opened).isLessThan(MANY);
            answer = consumer(opened, "sub-" + opened);
        }
        requireRefused(answer, "subscriptions");
        long held = memory.heldBytes(Kind.SUBSCRIPTIONS);
        client.send(
                BaseCommand.Type.UNSUBSCRIBE,
                c -> c.setUnsubscribe().setConsumerId(1).setRequestId(1));
        client.expect(BaseCommand.Type.SUCCESS);
        awaitThat(() -> memory.heldBytes(Kind.SUBSCRIPTIONS) < held);
        assertThat(consumer(MANY, "another").getType()).isEqualTo(BaseCommand.Type.SUCCESS);
    }

    private BaseCommand connected(List<RawClient> connections) throws IOException {
        RawClient connection = RawClient.open(server.port());
        connections.add(connection);
        connection.send(
                BaseCommand.Type.CONNECT,
                c -> c.setConnect().setClientVersion("raw").setProtocolVersion(21));
        return connection.receive();
    }

    private BaseCommand producer(long id) throws IOException {
        client.sendProducer(id, "topic", p -> {});
        return client.receive();
    }

    private BaseCommand consumer(long id, String subscription) throws IOException {
        client.sendSubscribe(id, "topic", SubType.Shared, s -> s.setSubscription(subscription));
        return client.receive();
    }

    private static void requireRefused(BaseCommand answer, String kind) {
        assertThat(answer.getType()).isEqualTo(BaseCommand.Type.ERROR);
        assertThat(answer.getError().getError()).isEqualTo(ServerError.TooManyRequests);
        assertThat(answer.getError().getMessage()).contains("no memory for more " + kind, "-Xmx");
    }

    private static void awaitThat(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("within 20 s").isNegative();
            LockSupport.parkNanos(100_000);
        }
    }
}
