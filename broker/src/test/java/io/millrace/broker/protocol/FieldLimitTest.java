package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.MessageMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class FieldLimitTest {
    private static final String USED = "persistent://public/default/used";

    private ServerFixture broker;

    @BeforeEach
    void startBroker(@TempDir Path folder) throws Exception {
        broker = new ServerFixture(folder);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @ParameterizedTest
    @MethodSource("io.millrace.broker.protocol.LimitedFields#all")
    @Behaviour("PRO-9")
    void theLimitIsTakenAndOneMoreIsAnErrorToThatRequestWithNothingStored(LimitedFields row) throws Exception {
        int max = row.limit().max();
        assertThat(errors(row, max + 1)).singleElement().asString().contains("at most " + max + " are allowed");
        try (RawClient client = RawClient.connect(broker.port())) {
            assertThat(isThere(client, LimitedFields.TOPIC))
                    .as("a topic of the refused command")
                    .isFalse();
            client.subscribe(1, USED, CommandSubscribe.SubType.Shared);
            client.send(
                    BaseCommand.Type.GET_LAST_MESSAGE_ID,
                    c -> c.setGetLastMessageId().setConsumerId(1).setRequestId(1));
            assertThat(client.expect(BaseCommand.Type.GET_LAST_MESSAGE_ID_RESPONSE)
                            .getGetLastMessageIdResponse()
                            .getLastMessageId()
                            .getEntryId())
                    .as("the last entry stored")
                    .isEqualTo(-1);
        }
        assertThat(errors(row, max)).noneMatch(text -> text.contains("are allowed"));
    }

    @Test
    @Behaviour("PRO-9")
    void everyLimitIsThatOfSomeField() {
        EnumSet<FieldLimit> limited = EnumSet.noneOf(FieldLimit.class);
        LimitedFields.all().forEach(row -> limited.add(row.limit()));
        assertThat(limited).isEqualTo(EnumSet.allOf(FieldLimit.class));
    }

    @Test
    @Behaviour("PRO-9")
    void anAckSetIsAsLongAsItsBatchNeeds() throws Exception {
        MessageMetadata batch = WireFrames.metadata(1).setNumMessagesInBatch(65);
        try (RawClient client = RawClient.connect(broker.port())) {
            client.producer(1, USED);
            client.subscribe(1, USED, CommandSubscribe.SubType.Shared);
            client.write(WireFrames.send(1, 1, WireFrames.message(batch, "65 of them")));
            MessageIdData id = client.expect(BaseCommand.Type.SEND_RECEIPT)
                    .getSendReceipt()
                    .getMessageId();
            assertTooLong(ack(client, id, 3));
            client.flow(1, 100);
            client.expect(BaseCommand.Type.MESSAGE);
            assertTooLong(ack(client, id, 3));
            assertTooLong(ack(client, id, 2_000));
            client.send(
                    BaseCommand.Type.SEEK,
                    c -> fill(c.setSeek().setConsumerId(1).setRequestId(9).setMessageId(), id, 3));
            assertTooLong(client.expect(BaseCommand.Type.ERROR).getError().getMessage());
            assertThat(ack(client, id, 2)).isEmpty();
            assertTooLong(ack(client, id, 3));
            assertThat(ack(client, id, 1)).isEmpty();
        }
    }

    private static void assertTooLong(String error) {
        assertThat(error).contains("more than its batch has messages for");
    }

    /** Acknowledges the first message of the batch with so many words; the text of the error, empty if there is none. */
    private static String ack(RawClient client, MessageIdData id, int words) throws IOException {
        client.send(
                BaseCommand.Type.ACK,
                c -> fill(
                        c.setAck()
                                .setConsumerId(1)
                                .setRequestId(7)
                                .setAckType(CommandAck.AckType.Individual)
                                .addMessageId(),
                        id,
                        words));
        var response = client.expect(BaseCommand.Type.ACK_RESPONSE).getAckResponse();
        return response.hasMessage() ? response.getMessage() : "";
    }

    private static void fill(MessageIdData target, MessageIdData id, int words) {
        target.setLedgerId(id.getLedgerId()).setEntryId(id.getEntryId()).addAckSet(-2);
        for (int i = 1; i < words; i++) {
            target.addAckSet(-1);
        }
    }

    /** What the broker answers in errors to that field on a connection of its own. */
    private List<String> errors(LimitedFields row, int size) throws IOException {
        List<String> errors = new ArrayList<>();
        try (RawClient client = RawClient.open(broker.port())) {
            if (!row.isConnect()) {
                client.handshake();
                client.producer(1, USED);
                client.subscribe(1, USED, CommandSubscribe.SubType.Shared);
            }
            row.sending().send(client, size);
            client.writeUntilClosed(WireFrames.frame(WireFrames.command(BaseCommand.Type.PING, BaseCommand::setPing)));
            BaseCommand answer = client.receive();
            while (answer != null && answer.getType() != BaseCommand.Type.PONG) {
                error(answer).ifPresent(errors::add);
                answer = client.receive();
            }
            assertThat(answer == null).as("the connection is closed").isEqualTo(row.isConnect() && !errors.isEmpty());
        }
        return errors;
    }

    private static Optional<String> error(BaseCommand answer) {
        return switch (answer.getType()) {
            case ERROR -> Optional.of(answer.getError().getMessage());
            case SEND_ERROR -> Optional.of(answer.getSendError().getMessage());
            case ACK_RESPONSE ->
                Optional.of(answer.getAckResponse()).filter(a -> a.hasMessage()).map(a -> a.getMessage());
            case LOOKUP_RESPONSE ->
                Optional.of(answer.getLookupTopicResponse())
                        .filter(a -> a.hasMessage())
                        .map(a -> a.getMessage());
            case PARTITIONED_METADATA_RESPONSE ->
                Optional.of(answer.getPartitionMetadataResponse())
                        .filter(a -> a.hasMessage())
                        .map(a -> a.getMessage());
            case GET_OR_CREATE_SCHEMA_RESPONSE ->
                Optional.of(answer.getGetOrCreateSchemaResponse())
                        .filter(a -> a.hasErrorMessage())
                        .map(a -> a.getErrorMessage());
            default -> Optional.empty();
        };
    }

    private static boolean isThere(RawClient client, String topic) throws IOException {
        client.send(
                BaseCommand.Type.PARTITIONED_METADATA,
                c -> c.setPartitionMetadata().setTopic(topic).setRequestId(1).setMetadataAutoCreationEnabled(false));
        return !client.expect(BaseCommand.Type.PARTITIONED_METADATA_RESPONSE)
                .getPartitionMetadataResponse()
                .hasError();
    }
}
