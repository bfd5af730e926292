package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.memory.MemoryBudget;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandGetSchema;
import io.millrace.wire.CommandGetSchemaResponse;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.Schema;
import io.millrace.wire.ServerError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schemas on the wire, as any client in any language may send them. */
@Timeout(60)
class SchemaSessionTest {
    private static final String ID =
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"}]}";
    private static final byte[] FIRST = {0, 0, 0, 0, 0, 0, 0, 0};

    @TempDir
    Path folder;

    private ServerFixture broker;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        broker = new ServerFixture(folder);
        client = RawClient.connect(broker.port());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        broker.close();
    }

    @Test
    @Behaviour("REG-1")
    void aSchemaIsGivenBackAsItCame() throws Exception {
        client.producer(
                1, "x", p -> avro(p.setSchema(), ID).addProperty().setKey("k").setValue("v"));
        CommandGetSchemaResponse latest = get("x", question -> {});
        assertThat(latest.getSchemaVersion()).isEqualTo(FIRST);
        assertThat(latest.getSchema().getType()).isEqualTo(Schema.Type.Avro);
        assertThat(latest.getSchema().getName()).isEqualTo("public/default/x");
        assertThat(latest.getSchema().getSchemaData()).isEqualTo(ID.getBytes(StandardCharsets.UTF_8));
        assertThat(latest.getSchema().getPropertyAt(0).getValue()).isEqualTo("v");
        assertThat(get("x", question -> question.setSchemaVersion(FIRST)).getSchemaVersion())
                .isEqualTo(FIRST);
    }

    @Test
    @Behaviour("REG-1")
    void aSchemaOfARegistryOfTheClientsIsKept() throws Exception {
        byte[] reference = {7, 0, -1};
        client.producer(
                1,
                "x",
                p -> p.setSchema().setName("s").setType(Schema.Type.External).setSchemaData(reference));
        CommandGetSchemaResponse latest = get("x", question -> {});
        assertThat(latest.getSchema().getType()).isEqualTo(Schema.Type.External);
        assertThat(latest.getSchema().getSchemaData()).isEqualTo(reference);
    }

    @Test
    @Behaviour("REG-1")
    void aVersionThatThereIsNotIsRefusedAsClientsExpect() throws Exception {
        client.producer(1, "x", p -> avro(p.setSchema(), ID));
        assertThat(get("y", question -> {}).getErrorCode()).isEqualTo(ServerError.TopicNotFound);
        assertThat(get("no/such/topic", question -> {}).getErrorCode()).isEqualTo(ServerError.TopicNotFound);
        assertThat(get("x", question -> question.setSchemaVersion(new byte[] {0, 0, 0, 0, 0, 0, 0, 1}))
                        .getErrorCode())
                .isEqualTo(ServerError.TopicNotFound);
        assertThat(get("x", question -> question.setSchemaVersion(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}))
                        .getErrorCode())
                .isEqualTo(ServerError.TopicNotFound);
        assertThat(get("x", question -> question.setSchemaVersion(new byte[3])).getErrorCode())
                .isEqualTo(ServerError.TopicNotFound);
        assertThat(get("persistent://a/b", question -> {}).getErrorCode()).isEqualTo(ServerError.InvalidTopicName);
    }

    /** The Go client sends the empty version of a producer of bytes with each message, and asks for it when it reads one. */
    @Test
    @Behaviour("REG-9")
    void theEmptyVersionIsThatOfBytes() throws Exception {
        client.producer(1, "x", p -> avro(p.setSchema(), ID));
        for (String topic : new String[] {"x", "y"}) {
            CommandGetSchemaResponse found = get(topic, question -> question.setSchemaVersion(new byte[0]));
            assertThat(found.hasErrorCode()).isFalse();
            assertThat(found.getSchemaVersion()).isEmpty();
            assertThat(found.getSchema().getType()).isEqualTo(Schema.Type.None);
            assertThat(found.getSchema().getSchemaData()).isEmpty();
        }
    }

    @Test
    @Behaviour("REG-9")
    void aSchemaIsSetBeforeTheFirstProducer() throws Exception {
        assertThat(findOrAdd("x", ID).getErrorCode()).isEqualTo(ServerError.TopicNotFound);
        client.subscribe(1, "x", CommandSubscribe.SubType.Shared);
        assertThat(findOrAdd("x", ID).getSchemaVersion()).isEqualTo(FIRST);
        assertThat(findOrAdd("x", ID).getSchemaVersion()).isEqualTo(FIRST);
        var refused = findOrAdd("x", ID.replace("string", "int"));
        assertThat(refused.getErrorCode()).isEqualTo(ServerError.IncompatibleSchema);
        assertThat(refused.getErrorMessage()).contains("field 'id' is of type int, and was of type string");
    }

    @Test
    @Behaviour("REG-5")
    void aProducerAndAConsumerAreRefusedWithTheReason() throws Exception {
        client.producer(1, "x", p -> avro(p.setSchema(), ID));
        client.sendProducer(2, "x", p -> avro(p.setSchema(), ID.replace("string", "int")));
        var refused = client.expect(BaseCommand.Type.ERROR).getError();
        assertThat(refused.getError()).isEqualTo(ServerError.IncompatibleSchema);
        assertThat(refused.getMessage()).contains("field 'id'").contains("schema-compatibility=FULL");
        client.sendSubscribe(
                3, "x", CommandSubscribe.SubType.Shared, s -> avro(s.setSchema(), ID.replace("string", "int")));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getError())
                .isEqualTo(ServerError.IncompatibleSchema);
        client.sendProducer(
                4,
                "x",
                p -> p.setSchema().setName("s").setType(Schema.Type.External).setSchemaData(new byte[0]));
        assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                .contains("exists schema type AVRO, new schema type EXTERNAL");
        client.expectAlive();
    }

    @Test
    @Behaviour("REG-6")
    void hostileDefinitionsCostNobodyAnything() throws Exception {
        String[] hostile = {
            "garbage",
            "[".repeat(500_000),
            "{\"type\":\"array\",\"items\":".repeat(20_000),
            ID.replace("id", "i\\u0000d"),
            "\ud800".repeat(10)
        };
        try (RawClient other = RawClient.connect(broker.port())) {
            other.producer(1, "other");
            for (int i = 0; i < hostile.length; i++) {
                String definition = hostile[i];
                client.sendProducer(10 + i, "x", p -> avro(p.setSchema(), definition));
                assertThat(client.expect(BaseCommand.Type.ERROR).getError().getError())
                        .isEqualTo(ServerError.IncompatibleSchema);
                other.publish(1, i, "goes on");
            }
            byte[] large = new byte[(1 << 20) + 1];
            client.sendProducer(
                    20,
                    "x",
                    p -> p.setSchema().setName("s").setType(Schema.Type.Avro).setSchemaData(large));
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("at most 1048576 are allowed");
            client.expectAlive();
        }
        assertThat(get("x", question -> {}).getErrorCode()).isEqualTo(ServerError.TopicNotFound);
        client.close();
        broker.awaitHeld(MemoryBudget.Kind.PRODUCERS, 0);
    }

    @Test
    void aClientThatAsksForManySchemasAndTakesNoneGetsThemOneByOne() throws Exception {
        String wide = "{\"type\":\"record\",\"name\":\"R\",\"doc\":\"" + "x".repeat(100_000) + "\",\"fields\":[]}";
        client.producer(1, "x", p -> avro(p.setSchema(), wide));
        int questions = 2_000;
        try (RawClient slow = RawClient.connectNarrow(broker.port())) {
            for (int i = 0; i < questions; i++) {
                long requestId = i;
                slow.send(
                        BaseCommand.Type.GET_SCHEMA,
                        c -> c.setGetSchema().setRequestId(requestId).setTopic("x"));
            }
            slow.awaitOutput();
            client.expectAlive();
            for (int i = 0; i < questions; i++) {
                CommandGetSchemaResponse answer =
                        slow.expect(BaseCommand.Type.GET_SCHEMA_RESPONSE).getGetSchemaResponse();
                assertThat(answer.getRequestId()).isEqualTo(i);
                assertThat(answer.getSchema().getSchemaDataSize()).isEqualTo(wide.length());
            }
        }
    }

    private CommandGetSchemaResponse get(String topic, Consumer<CommandGetSchema> fill) throws Exception {
        client.send(
                BaseCommand.Type.GET_SCHEMA,
                c -> fill.accept(c.setGetSchema().setRequestId(7).setTopic(topic)));
        CommandGetSchemaResponse answer =
                client.expect(BaseCommand.Type.GET_SCHEMA_RESPONSE).getGetSchemaResponse();
        assertThat(answer.getRequestId()).isEqualTo(7);
        return answer;
    }

    private io.millrace.wire.CommandGetOrCreateSchemaResponse findOrAdd(String topic, String definition)
            throws Exception {
        client.send(
                BaseCommand.Type.GET_OR_CREATE_SCHEMA,
                c -> avro(
                        c.setGetOrCreateSchema().setRequestId(8).setTopic(topic).setSchema(), definition));
        return client.expect(BaseCommand.Type.GET_OR_CREATE_SCHEMA_RESPONSE).getGetOrCreateSchemaResponse();
    }

    private static Schema avro(Schema schema, String definition) {
        return schema.setName("s").setType(Schema.Type.Avro).setSchemaData(definition.getBytes(StandardCharsets.UTF_8));
    }
}
