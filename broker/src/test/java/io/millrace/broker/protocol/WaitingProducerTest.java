package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandProducerSuccess;
import io.millrace.wire.ServerError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WaitingProducerTest {
    private ServerFixture broker;
    private RawClient holder;
    private RawClient waiting;

    @BeforeEach
    void startBroker(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        holder = RawClient.connect(broker.port());
        waiting = RawClient.connect(broker.port());
    }

    @AfterEach
    void stopBroker() throws Exception {
        holder.close();
        waiting.close();
        broker.close();
    }

    @Test
    @Behaviour({"PRO-3", "PRO-4"})
    void aRequestIsAnsweredWhenItWaitsAndWhenItIsReady() throws Exception {
        hold();
        CommandProducerSuccess told = await(2);
        assertThat(told.getRequestId()).isEqualTo(1_002);
        assertThat(told.isProducerReady()).isFalse();
        assertThat(told.hasTopicEpoch()).isFalse();
        waiting.expectAlive();
        holder.close();
        CommandProducerSuccess ready =
                waiting.expect(BaseCommand.Type.PRODUCER_SUCCESS).getProducerSuccess();
        assertThat(ready.getRequestId()).isEqualTo(1_002);
        assertThat(ready.isProducerReady()).isTrue();
        assertThat(ready.getTopicEpoch()).isEqualTo(1);
        assertThat(ready.getProducerName()).isEqualTo(told.getProducerName());
        waiting.publish(2, 1, "mine now");
    }

    @Test
    @Behaviour("PRO-3")
    void aWaitingProducerThatIsClosedHasItsSuccessAndNothingElse() throws Exception {
        hold();
        await(2);
        waiting.send(
                BaseCommand.Type.CLOSE_PRODUCER,
                c -> c.setCloseProducer().setProducerId(2).setRequestId(77));
        assertThat(waiting.expect(BaseCommand.Type.SUCCESS).getSuccess().getRequestId())
                .isEqualTo(77);
        holder.close();
        waiting.expectAlive();
        waiting.producer(3, "orders");
    }

    @Test
    @Behaviour("PRO-5")
    void aLostConnectionLeavesTheLine() throws Exception {
        hold();
        await(2);
        waiting.close();
        try (RawClient next = RawClient.connect(broker.port())) {
            next.sendProducer(4, "orders", p -> p.setProducerAccessMode(inTurn()));
            assertThat(next.expect(BaseCommand.Type.PRODUCER_SUCCESS)
                            .getProducerSuccess()
                            .isProducerReady())
                    .isFalse();
            holder.close();
            assertThat(next.expect(BaseCommand.Type.PRODUCER_SUCCESS)
                            .getProducerSuccess()
                            .isProducerReady())
                    .isTrue();
        }
    }

    @Test
    @Behaviour({"PRO-3", "PRO-4"})
    void aWaitingProducerThatIsFencedHasAnError() throws Exception {
        hold();
        await(2);
        try (RawClient fencing = RawClient.connect(broker.port())) {
            fencing.producer(
                    3,
                    "orders",
                    p -> p.setProducerAccessMode(io.millrace.wire.ProducerAccessMode.ExclusiveWithFencing));
            var error = waiting.expect(BaseCommand.Type.ERROR).getError();
            assertThat(error.getRequestId()).isEqualTo(1_002);
            assertThat(error.getError()).isEqualTo(ServerError.ProducerFenced);
            assertThat(holder.expect(BaseCommand.Type.CLOSE_PRODUCER)
                            .getCloseProducer()
                            .getProducerId())
                    .isEqualTo(1);
        }
    }

    @Test
    @Behaviour("PRO-4")
    void theJavaClientWaitsForItsTurn() throws Exception {
        try (PulsarClient client = client()) {
            Producer<byte[]> first = client.newProducer().topic("java").create();
            CompletableFuture<Producer<byte[]>> second =
                    builder(client, ProducerAccessMode.WaitForExclusive).createAsync();
            assertThat(second).isNotDone();
            first.send(new byte[1]);
            first.close();
            Producer<byte[]> ready = second.get(30, TimeUnit.SECONDS);
            assertThat(ready.send(new byte[1])).isNotNull();
            ready.close();
        }
    }

    @Test
    @Behaviour("PRO-4")
    void theJavaClientFencesAnother() throws Exception {
        try (PulsarClient client = client();
                PulsarClient other = client()) {
            Producer<byte[]> first =
                    builder(other, ProducerAccessMode.Exclusive).create();
            first.send(new byte[1]);
            CompletableFuture<Producer<byte[]>> waits =
                    builder(other, ProducerAccessMode.WaitForExclusive).createAsync();
            broker.awaitWaitingProducer("java");
            try (Producer<byte[]> second =
                    builder(client, ProducerAccessMode.ExclusiveWithFencing).create()) {
                second.send(new byte[1]);
                assertThatThrownBy(() -> first.send(new byte[1]))
                        .isInstanceOf(PulsarClientException.ProducerFencedException.class);
                assertThatThrownBy(() -> waits.get(30, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(PulsarClientException.ProducerFencedException.class);
                second.send(new byte[1]);
            }
        }
    }

    private void hold() throws IOException {
        holder.producer(1, "orders", p -> p.setProducerAccessMode(io.millrace.wire.ProducerAccessMode.Exclusive));
    }

    private CommandProducerSuccess await(long producerId) throws IOException {
        waiting.sendProducer(producerId, "orders", p -> p.setProducerAccessMode(inTurn()));
        CommandProducerSuccess told =
                waiting.expect(BaseCommand.Type.PRODUCER_SUCCESS).getProducerSuccess();
        assertThat(told.isProducerReady()).isFalse();
        return told;
    }

    private static io.millrace.wire.ProducerAccessMode inTurn() {
        return io.millrace.wire.ProducerAccessMode.WaitForExclusive;
    }

    private static ProducerBuilder<byte[]> builder(PulsarClient client, ProducerAccessMode mode) {
        return client.newProducer().topic("java").accessMode(mode);
    }

    // The statistics have no other switch.
    @SuppressWarnings("deprecation")
    private PulsarClient client() throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl("pulsar://127.0.0.1:" + broker.port())
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }
}
