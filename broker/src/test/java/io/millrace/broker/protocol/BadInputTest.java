package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck.AckType;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.ServerError;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BadInputTest {
    private ServerFixture broker;
    private RawClient neighbour;

    @BeforeEach
    void startBrokerWithANeighbour(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
        neighbour = RawClient.connect(broker.port());
        neighbour.producer(1, "neighbour");
    }

    @AfterEach
    void theNeighbourNeverNoticedAnything() throws Exception {
        try (ServerFixture running = broker;
                RawClient unharmed = neighbour) {
            assertThat(running.port()).isPositive();
            unharmed.publish(1, 1, "still here");
            unharmed.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-1")
    void aFrameOverTheLimitClosesTheConnection() throws Exception {
        assertCloses(true, ints(SessionLimits.DEFAULTS.maxFrameBytes() + 1));
        assertCloses(true, ints(Integer.MAX_VALUE, 10));
        assertCloses(true, ints(-1, 10));
    }

    @Test
    @Behaviour("PRO-1")
    void theReasonIsInTheLogWithTheAddressOfTheClient() throws Exception {
        PrintStream console = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        String address;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (RawClient client = RawClient.connect(broker.port())) {
            address = "127.0.0.1:" + client.localPort();
            client.write(ints(Integer.MAX_VALUE));
            client.expectClosed();
        } finally {
            System.setErr(console);
        }
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains(address)
                .contains("a frame of " + Integer.MAX_VALUE + " bytes is over the limit");
    }

    @Test
    @Behaviour("PRO-1")
    void aCommandLongerThanItsFrameOrOfNegativeLengthClosesTheConnection() throws Exception {
        assertCloses(true, ints(4, 1));
        assertCloses(true, ints(4, -1));
        assertCloses(true, ints(0));
        assertCloses(true, ints(8, Integer.MAX_VALUE, 0));
    }

    @Test
    @Behaviour("PRO-1")
    void aCommandThatDoesNotParseOrLacksItsPartsClosesTheConnection() throws Exception {
        assertCloses(true, new byte[] {0, 0, 0, 6, 0, 0, 0, 2, 0x08, (byte) 0xff});
        assertCloses(true, new byte[] {0, 0, 0, 4, 0, 0, 0, 0});
        assertCloses(true, new byte[] {0, 0, 0, 6, 0, 0, 0, 2, 0x08, BaseCommand.Type.SEND_VALUE});
        assertCloses(true, new byte[] {0, 0, 0, 6, 0, 0, 0, 2, 0x08, BaseCommand.Type.SUBSCRIBE_VALUE});
    }

    @Test
    @Behaviour("PRO-1")
    void randomBytesCloseTheConnection() throws Exception {
        long seed = System.nanoTime();
        System.err.println("randomBytesCloseTheConnection seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            byte[] bytes = new byte[1 + random.nextInt(100_000)];
            random.nextBytes(bytes);
            bytes[0] |= 0x40;
            assertCloses(i % 2 == 0, bytes.length < 4 ? ints(-1) : bytes);
        }
    }

    @Test
    @Behaviour("PRO-1")
    void framesWithFlippedBitsNeverDoMoreThanCloseTheirConnection() throws Exception {
        long seed = System.nanoTime();
        System.err.println("framesWithFlippedBitsNeverDoMoreThanCloseTheirConnection seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 150; i++) {
            byte[] frame = WireFrames.frame(anyCommand(random));
            int bit = (8 + random.nextInt(frame.length - 8)) * 8 + random.nextInt(8);
            frame[bit / 8] ^= (byte) (1 << bit % 8);
            try (RawClient client = RawClient.connect(broker.port())) {
                client.write(frame);
                client.writeUntilClosed(
                        WireFrames.frame(WireFrames.command(BaseCommand.Type.PING, BaseCommand::setPing)));
                BaseCommand answer = client.receive();
                while (answer != null && answer.getType() != BaseCommand.Type.PONG) {
                    answer = client.receive();
                }
            }
        }
    }

    @Test
    @Behaviour("PRO-1")
    void aTruncatedFrameIsWaitedForAndForgottenWithItsConnection() throws Exception {
        byte[] frame = WireFrames.frame(WireFrames.command(BaseCommand.Type.PING, BaseCommand::setPing));
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(Arrays.copyOf(frame, frame.length - 1));
        }
        try (RawClient client = RawClient.connect(broker.port())) {
            for (byte one : frame) {
                client.write(new byte[] {one});
            }
            client.expect(BaseCommand.Type.PONG);
        }
    }

    @Test
    @Behaviour("PRO-1")
    void aCommandBeforeConnectIsAnErrorAndTheEnd() throws Exception {
        try (RawClient client = RawClient.open(broker.port())) {
            client.send(BaseCommand.Type.PING, BaseCommand::setPing);
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("before CONNECT");
            client.expectClosed();
        }
        try (RawClient client = RawClient.connect(broker.port())) {
            client.send(BaseCommand.Type.CONNECT, c -> c.setConnect().setClientVersion("raw"));
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("twice");
            client.expectClosed();
        }
    }

    @Test
    @Behaviour({"PRO-2", "PRO-3"})
    void aWrongChecksumIsAnsweredAfterTheReceiptsBeforeItAndTheConnectionLives() throws Exception {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.producer(1, "crc");
            byte[] broken = WireFrames.message(WireFrames.metadata(2), "two");
            broken[broken.length - 1] ^= 1;
            client.write(WireFrames.send(1, 1, "one"));
            client.write(WireFrames.send(1, 2, broken));
            client.write(WireFrames.send(1, 3, "three"));
            assertThat(client.expect(BaseCommand.Type.SEND_RECEIPT)
                            .getSendReceipt()
                            .getSequenceId())
                    .isEqualTo(1);
            var error = client.expect(BaseCommand.Type.SEND_ERROR).getSendError();
            assertThat(error.getSequenceId()).isEqualTo(2);
            assertThat(error.getProducerId()).isEqualTo(1);
            assertThat(error.getError()).isEqualTo(ServerError.ChecksumError);
            assertThat(client.expect(BaseCommand.Type.SEND_RECEIPT)
                            .getSendReceipt()
                            .getSequenceId())
                    .isEqualTo(3);
        }
    }

    @Test
    @Behaviour("PRO-3")
    void aSendToAnUnknownProducerClosesTheConnectionSoThatItIsSentAgain() throws Exception {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(WireFrames.send(77, 5, "x"));
            client.expectClosed();
        }
    }

    @Test
    @Behaviour("PRO-3")
    void anUnknownConsumerIsAnErrorToEveryCommandThatHasARequestId() throws Exception {
        assertError(
                ServerError.ConsumerNotFound,
                BaseCommand.Type.UNSUBSCRIBE,
                c -> c.setUnsubscribe().setConsumerId(9).setRequestId(3));
        assertError(
                ServerError.ConsumerNotFound,
                BaseCommand.Type.SEEK,
                c -> c.setSeek().setConsumerId(9).setRequestId(3).setMessagePublishTime(1));
        assertError(
                ServerError.ConsumerNotFound,
                BaseCommand.Type.GET_LAST_MESSAGE_ID,
                c -> c.setGetLastMessageId().setConsumerId(9).setRequestId(3));
        assertAnswers(
                c -> c.send(BaseCommand.Type.ACK, a -> ack(a, 9, 1, 1, 3)),
                answer -> assertThat(answer.getAckResponse().getError()).isEqualTo(ServerError.ConsumerNotFound));
    }

    @Test
    @Behaviour("PRO-3")
    void anInvalidTopicNameIsAnErrorEverywhere() throws Exception {
        String invalid = "persistent://only-two/parts";
        assertError(
                ServerError.InvalidTopicName,
                BaseCommand.Type.PRODUCER,
                c -> c.setProducer().setTopic(invalid).setProducerId(1).setRequestId(3));
        assertError(
                ServerError.InvalidTopicName,
                BaseCommand.Type.SUBSCRIBE,
                c -> c.setSubscribe()
                        .setTopic(invalid)
                        .setSubscription("s")
                        .setSubType(SubType.Shared)
                        .setConsumerId(1)
                        .setRequestId(3));
        assertAnswers(
                c -> c.send(
                        BaseCommand.Type.LOOKUP,
                        l -> l.setLookupTopic().setTopic(invalid).setRequestId(3)),
                answer ->
                        assertThat(answer.getLookupTopicResponse().getError()).isEqualTo(ServerError.InvalidTopicName));
        assertAnswers(
                c -> c.send(
                        BaseCommand.Type.PARTITIONED_METADATA,
                        p -> p.setPartitionMetadata().setTopic(invalid).setRequestId(3)),
                answer -> assertThat(answer.getPartitionMetadataResponse().getError())
                        .isEqualTo(ServerError.InvalidTopicName));
    }

    @Test
    void negativePermitsAreAnErrorAndNoneAreNothing() throws Exception {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.subscribe(1, "permits", SubType.Shared);
            client.flow(1, -5);
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("-5");
            client.flow(1, 0);
            client.flow(99, 10);
            client.expectAlive();
            neighbour.producer(2, "permits");
            neighbour.publish(2, 1, "not yet");
            client.expectAlive();
            client.flow(1, 1);
            client.expect(BaseCommand.Type.MESSAGE);
        }
    }

    @Test
    @Behaviour("PRO-3")
    void anAckOfAMessageNeverSentIsAnsweredAndHarmsNothing() throws Exception {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.subscribe(1, "acks", SubType.Shared);
            client.send(BaseCommand.Type.ACK, a -> ack(a, 1, 4_711, 42, 7));
            assertThat(client.expect(BaseCommand.Type.ACK_RESPONSE)
                            .getAckResponse()
                            .getRequestId())
                    .isEqualTo(7);
            client.expectAlive();
        }
    }

    private static void ack(BaseCommand command, long consumerId, long ledgerId, long entryId, long requestId) {
        command.setAck()
                .setConsumerId(consumerId)
                .setAckType(AckType.Individual)
                .setRequestId(requestId)
                .addMessageId()
                .setLedgerId(ledgerId)
                .setEntryId(entryId);
    }

    private static BaseCommand anyCommand(Random random) {
        return switch (random.nextInt(6)) {
            case 0 ->
                WireFrames.command(
                        BaseCommand.Type.PRODUCER,
                        c -> c.setProducer()
                                .setTopic("flipped")
                                .setProducerId(1)
                                .setRequestId(1)
                                .setProducerName("p"));
            case 1 ->
                WireFrames.command(
                        BaseCommand.Type.SUBSCRIBE,
                        c -> c.setSubscribe()
                                .setTopic("flipped")
                                .setSubscription("s" + random.nextInt())
                                .setSubType(SubType.Shared)
                                .setConsumerId(1)
                                .setRequestId(1));
            case 2 -> WireFrames.command(BaseCommand.Type.ACK, c -> ack(c, 1, 2, 3, 4));
            case 3 ->
                WireFrames.command(
                        BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(10));
            case 4 ->
                WireFrames.command(
                        BaseCommand.Type.LOOKUP,
                        c -> c.setLookupTopic().setTopic("flipped").setRequestId(1));
            default ->
                WireFrames.command(
                        BaseCommand.Type.SEEK,
                        c -> c.setSeek()
                                .setConsumerId(1)
                                .setRequestId(1)
                                .setMessageId()
                                .setLedgerId(1)
                                .setEntryId(1));
        };
    }

    private void assertCloses(boolean connected, byte[] bytes) throws Exception {
        try (RawClient client = connected ? RawClient.connect(broker.port()) : RawClient.open(broker.port())) {
            client.writeUntilClosed(bytes);
            client.expectClosed();
        }
    }

    private void assertError(ServerError code, BaseCommand.Type type, Consumer<BaseCommand> fill) throws Exception {
        assertAnswers(c -> c.send(type, fill), answer -> {
            assertThat(answer.getType()).isEqualTo(BaseCommand.Type.ERROR);
            assertThat(answer.getError().getError()).isEqualTo(code);
            assertThat(answer.getError().getRequestId()).isEqualTo(3);
            assertThat(answer.getError().getMessage()).isNotBlank();
        });
    }

    private interface Attempt {
        void on(RawClient client) throws Exception;
    }

    /** One answer to what is sent, and a connection that lives. */
    private void assertAnswers(Attempt attempt, Consumer<BaseCommand> check) throws Exception {
        try (RawClient client = RawClient.connect(broker.port())) {
            attempt.on(client);
            check.accept(client.receive());
            client.expectAlive();
        }
    }

    private static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Integer.BYTES);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }
}
