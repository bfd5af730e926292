package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.schema.SchemaSettings;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.schema.TopicSchemas;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is done with schemas, over a log on a disk that forgets what was not forced. */
@Timeout(60)
class SchemasTest {
    static final SchemaContent TEXT = new SchemaContent(SchemaType.STRING, new byte[0], Map.of());
    static final SchemaContent ID = avro("{\"name\":\"id\",\"type\":\"string\"}");
    static final SchemaContent ID_AND_COUNT =
            avro("{\"name\":\"id\",\"type\":\"string\"},{\"name\":\"count\",\"type\":\"int\",\"default\":0}");
    private static final SchemaContent COUNT = avro("{\"name\":\"count\",\"type\":\"int\"}");
    private static final TopicName TOPIC = TopicName.parse("x");
    private static final long NONE = StoredSchema.NO_VERSION;

    private SimulatedDisk disk = new SimulatedDisk();
    private NamespaceSettings settings = NamespaceSettings.DEFAULTS;
    private NamespacesFixture broker;
    private Schemas schemas;

    @BeforeEach
    void start() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(1 << 20, 3);
        broker = new NamespacesFixture(config, disk, settings);
        schemas = broker.names.schemas();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void restart() throws Exception {
        broker.close();
        disk = SimulatedDisk.afterPowerLoss(disk.trace(), disk.changeCount(), 1, null);
        start();
    }

    private void restart(SchemaSettings changed) throws Exception {
        settings = settings.withSchemas(changed);
        restart();
    }

    @Test
    @Behaviour("REG-1")
    void versionsAreCountedFromZeroAndThereAfterAPowerLoss() throws Exception {
        assertThat(produce("x", ID)).isZero();
        assertThat(produce("x", ID_AND_COUNT)).isOne();
        assertThat(produce("x", ID)).as("one that the topic has").isZero();
        for (int i = 0; i < 2; i++) {
            assertThat(await(schemas.latest(TOPIC)).content()).isEqualTo(ID_AND_COUNT);
            assertThat(await(schemas.version(TOPIC, 0)).content()).isEqualTo(ID);
            assertThat(await(schemas.versions(TOPIC)))
                    .extracting(TopicSchemas.Version::number)
                    .containsExactly(0L, 1L);
            assertThat(await(schemas.versionOf(TOPIC, ID_AND_COUNT))).isOne();
            assertThat(await(schemas.versionOf(TOPIC, COUNT))).isEqualTo(NONE);
            assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no version 2", () -> await(schemas.version(TOPIC, 2)));
            assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no schema", () -> await(schemas.latest(TopicName.parse("y"))));
            restart();
        }
    }

    @Test
    @Behaviour("REG-1")
    void partitionsShareTheSchemasOfTheWhole() throws Exception {
        await(broker.names.createPartitionedTopic(TOPIC, 3, Map.of()));
        assertThat(await(schemas.admitProducer(TOPIC.partition(2), ID))).isZero();
        assertThat(await(schemas.admitProducer(TOPIC.partition(0), ID_AND_COUNT)))
                .isOne();
        assertThat(await(schemas.findOrAdd(TOPIC, ID))).isZero();
        assertThat(await(schemas.latest(TOPIC.partition(1))).version()).isOne();
        await(broker.names.deleteTopic(TOPIC, true));
        assertThat(storedValues()).isEmpty();
    }

    @Test
    @Behaviour("REG-2")
    void aContentIsStoredOnceHoweverManyTopicsUseIt() throws Exception {
        for (int i = 0; i < 100; i++) {
            produce("t" + i, ID);
        }
        assertThat(storedValues()).hasSize(101);
        restart();
        for (int i = 0; i < 99; i++) {
            await(broker.names.deleteTopic(TopicName.parse("t" + i), true));
        }
        restart();
        assertThat(await(schemas.latest(TopicName.parse("t99"))).content()).isEqualTo(ID);
        await(broker.names.deleteTopic(TopicName.parse("t99"), true));
        assertThat(storedValues()).as("the last one takes the content with it").isEmpty();
    }

    @Test
    @Behaviour("REG-2")
    void aContentThatGoesWhileAnotherTopicTakesItStays() throws Exception {
        for (int i = 0; i < 50; i++) {
            TopicName old = TopicName.parse("old" + i);
            TopicName next = TopicName.parse("next" + i);
            await(schemas.post(old, ID));
            CompletionStage<Long> gone = schemas.delete(old);
            CompletionStage<Long> taken = schemas.post(next, ID);
            await(gone);
            await(taken);
            assertThat(await(schemas.latest(next)).content()).isEqualTo(ID);
            await(schemas.delete(next));
        }
        restart();
        assertThat(storedValues()).noneMatch(name -> name.startsWith("schema "));
    }

    @Test
    @Behaviour("REG-7")
    void deletedVersionsAreGoneAndTheirNumbersAreNotGivenAgain() throws Exception {
        produce("x", ID);
        produce("x", ID_AND_COUNT);
        assertThat(await(schemas.delete(TOPIC))).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no schema", () -> await(schemas.latest(TOPIC)));
            assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no version 0", () -> await(schemas.version(TOPIC, 0)));
            assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no schema", () -> await(schemas.delete(TOPIC)));
            restart();
        }
        assertThat(produce("x", TEXT))
                .as("any schema is taken, of another type too")
                .isEqualTo(3);
    }

    @Test
    @Behaviour("REG-7")
    void aTopicWithASchemaIsKeptAndItsDeletionTakesTheSchema() throws Exception {
        produce("x", ID);
        await(broker.open("x").close());
        broker.log.deleteEmptyTopics();
        restart();
        assertThat(await(broker.names.topics(NamespaceName.DEFAULT))).hasSize(1);
        await(broker.names.deleteTopic(TOPIC, false));
        assertThat(produce("x", TEXT)).as("a new topic counts anew").isZero();
    }

    @Test
    void aNamespaceTakesTheSchemasThatWereSetInItAlong() throws Exception {
        NamespaceName namespace = NamespaceName.parse("a/b");
        await(broker.names.ensureNamespace(namespace));
        await(schemas.post(TopicName.parse("a/b/c"), ID));
        await(broker.names.deleteNamespace(namespace));
        assertThat(storedValues()).isEmpty();
        assertKind(ErrorKind.NAMESPACE_NOT_FOUND, "a/b", () -> await(schemas.post(TopicName.parse("a/b/c"), ID)));
    }

    @Test
    @Behaviour("REG-8")
    void aVersionIsToldOnceItIsDurable() throws Exception {
        broker.open("x");
        disk.hold(ForcePoint.JOURNAL_GROUP);
        CompletableFuture<Long> told = schemas.admitProducer(TOPIC, ID).toCompletableFuture();
        CompletableFuture<Long> second = schemas.admitProducer(TOPIC, ID).toCompletableFuture();
        assertKind(ErrorKind.SCHEMA_NOT_FOUND, "no schema", () -> await(schemas.latest(TOPIC)));
        assertThat(told).isNotDone();
        assertThat(second).as("one that would be the same").isNotDone();
        disk.release(ForcePoint.JOURNAL_GROUP);
        assertThat(await(told)).isZero();
        assertThat(await(second)).isZero();
    }

    @Test
    @Behaviour("REG-4")
    void theRuleIsTheTopicsOverTheNamespacesOverTheBrokers() throws Exception {
        produce("x", ID);
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "schema-compatibility=FULL", () -> produce("x", COUNT));
        await(broker.names.setPolicy(NamespaceName.DEFAULT, "schema-compatibility", "FORWARD"));
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "=FORWARD", () -> produce("x", COUNT));
        await(schemas.setPolicy(TOPIC, "schema-compatibility", "BACKWARD"));
        assertThat(await(schemas.policies(TOPIC))).containsEntry("schema-compatibility", "BACKWARD");
        restart();
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "=BACKWARD", () -> produce("x", COUNT));
        SchemaVerdict verdict = await(schemas.test(TOPIC, COUNT));
        assertThat(verdict.isCompatible()).isFalse();
        assertThat(verdict.strategy()).isEqualTo(Compatibility.BACKWARD);
        assertThat(verdict.reason()).contains("'count' is new");
        await(schemas.setPolicy(TOPIC, "schema-compatibility", "UNDEFINED"));
        assertThat(await(schemas.test(TOPIC, COUNT)).strategy()).isEqualTo(Compatibility.FORWARD);
        await(schemas.setPolicy(TOPIC, "schema-compatibility", "ALWAYS_COMPATIBLE"));
        assertThat(produce("x", COUNT)).isOne();
        assertThat(produce("x", TEXT)).isEqualTo(2);
        await(schemas.setPolicy(TOPIC, "schema-compatibility", null));
        assertThat(await(schemas.policies(TOPIC))).isEmpty();
    }

    @Test
    void policiesThatAreNotValidAreRefused() {
        assertKind(
                ErrorKind.NOT_ALLOWED,
                "schema-compatibility is 'odd'",
                () -> await(broker.names.setPolicy(NamespaceName.DEFAULT, "schema-compatibility", "odd")));
        assertKind(
                ErrorKind.NOT_ALLOWED,
                "schema-auto-update is 'maybe'",
                () -> await(schemas.setPolicy(TOPIC, "schema-auto-update", "maybe")));
        assertKind(ErrorKind.NOT_ALLOWED, "no policy 'other'", () -> await(schemas.setPolicy(TOPIC, "other", "1")));
    }

    @Test
    @Behaviour("REG-9")
    void aProducerWithoutASchemaIsTakenUnlessThatIsEnforced() throws Exception {
        assertThat(await(schemas.admitProducer(TOPIC, null))).isEqualTo(NONE);
        produce("x", ID);
        assertThat(await(schemas.admitProducer(TOPIC, null))).isEqualTo(NONE);
        await(schemas.setPolicy(TOPIC, "schema-validation-enforced", "true"));
        assertKind(
                ErrorKind.INCOMPATIBLE_SCHEMA,
                "schema-validation-enforced=true",
                () -> await(schemas.admitProducer(TOPIC, null)));
        assertKind(
                ErrorKind.INCOMPATIBLE_SCHEMA,
                "schema-validation-enforced=true",
                () -> await(schemas.admitProducer(TOPIC, new SchemaContent(SchemaType.BYTES, new byte[0], Map.of()))));
        assertThat(produce("x", ID)).isZero();
    }

    @Test
    @Behaviour("REG-9")
    void clientsBringNoNewSchemaWhereTheyMayNot() throws Exception {
        restart(SchemaSettings.DEFAULTS.withPolicy(new SchemaPolicy(Compatibility.FULL, false, false)));
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "schema-auto-update=false", () -> produce("x", ID));
        assertThat(await(schemas.post(TOPIC, ID))).isZero();
        assertThat(produce("x", ID)).isZero();
        assertThat(produce("x", avro(" {\"name\":\"id\",\"type\":\"string\"}")))
                .as("in other words")
                .isZero();
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "schema-auto-update=false", () -> produce("x", ID_AND_COUNT));
        assertThat(await(schemas.post(TOPIC, ID_AND_COUNT))).isOne();
    }

    @Test
    @Behaviour("REG-9")
    void aConsumersSchemaIsTheTopicsWhereNobodyUsesIt() throws Exception {
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "active topic with empty(BYTES) schema", () -> consume(ID, false));
        assertThat(await(schemas.versions(TOPIC))).isEmpty();
        consume(null, true);
        consume(new SchemaContent(SchemaType.AUTO_CONSUME, new byte[0], Map.of()), true);
        assertThat(await(schemas.versions(TOPIC))).isEmpty();
        consume(ID, true);
        assertThat(await(schemas.latest(TOPIC)).content()).isEqualTo(ID);
        consume(ID_AND_COUNT, false);
        assertThat(await(schemas.versions(TOPIC)))
                .as("a consumer adds no further one")
                .hasSize(1);
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "'count' is new", () -> consume(COUNT, false));
        assertKind(ErrorKind.INCOMPATIBLE_SCHEMA, "new schema type STRING", () -> consume(TEXT, false));
    }

    @Test
    @Behaviour("REG-10")
    void whatIsTooLargeOrTooMuchIsRefusedByTheNameOfItsLimit() throws Exception {
        restart(new SchemaSettings(new SchemaPolicy(Compatibility.ALWAYS_COMPATIBLE, false, true), 200, 2, 10));
        produce("x", ID);
        produce("x", COUNT);
        assertKind(ErrorKind.NOT_ALLOWED, "max-schema-versions-per-topic is 2", () -> produce("x", TEXT));
        assertThat(produce("x", ID)).isZero();
        assertKind(
                ErrorKind.NOT_ALLOWED,
                "max-schema-bytes is 200",
                () -> produce("y", avro("{\"name\":\"" + "n".repeat(200) + "\",\"type\":\"int\"}")));
        assertKind(
                ErrorKind.NOT_ALLOWED,
                "max-schema-property-chars is 10",
                () -> produce("y", new SchemaContent(SchemaType.STRING, new byte[0], Map.of("key", "12345678"))));
        produce("y", new SchemaContent(SchemaType.STRING, new byte[0], Map.of("key", "1234567")));
    }

    @Test
    @Behaviour("REG-10")
    void consumersAndQuestionsAreHeldToTheLimitsAsWell() throws Exception {
        restart(new SchemaSettings(new SchemaPolicy(Compatibility.FULL, false, true), 200, 2, 10));
        produce("x", ID);
        SchemaContent large = avro("{\"name\":\"" + "n".repeat(200) + "\",\"type\":\"int\"}");
        assertKind(ErrorKind.NOT_ALLOWED, "max-schema-bytes is 200", () -> consume(large, false));
        assertKind(ErrorKind.NOT_ALLOWED, "max-schema-bytes is 200", () -> await(schemas.versionOf(TOPIC, large)));
        assertThat(await(schemas.test(TOPIC, large)).reason()).contains("max-schema-bytes is 200");
    }

    @Test
    void thousandsThatComeAtOnceGetTheSameVersion() throws Exception {
        broker.open("x");
        List<CompletionStage<Long>> asked = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            asked.add(schemas.admitProducer(TOPIC, ID));
        }
        for (CompletionStage<Long> one : asked) {
            assertThat(await(one)).isZero();
        }
        assertThat(await(schemas.versions(TOPIC))).hasSize(1);
    }

    @Test
    void aSchemaForATopicThatThereIsNotIsRefusedToClients() throws Exception {
        assertKind(ErrorKind.TOPIC_NOT_FOUND, "x", () -> await(schemas.findOrAdd(TOPIC, ID)));
        broker.open("x");
        assertThat(await(schemas.findOrAdd(TOPIC, ID))).isZero();
    }

    @Test
    void aTopicThatStoresNothingHasSchemasAsWell() throws Exception {
        TopicName live = TopicName.parse("non-persistent://public/default/live");
        await(broker.names.open(live, true));
        assertThat(await(schemas.admitProducer(live, ID))).isZero();
        restart();
        assertThat(await(schemas.latest(live)).content()).isEqualTo(ID);
        await(broker.names.deleteTopic(live, true));
        assertThat(storedValues()).isEmpty();
    }

    @Test
    @Behaviour("REG-6")
    void garbageIsRefusedAndLeavesNothing() throws Exception {
        broker.open("x");
        SchemaContent garbage =
                new SchemaContent(SchemaType.AVRO, "garbage".getBytes(StandardCharsets.UTF_8), Map.of());
        assertKind(ErrorKind.INVALID_SCHEMA, "Invalid schema", () -> produce("x", garbage));
        assertKind(
                ErrorKind.INVALID_SCHEMA,
                "client's own affair",
                () -> produce("x", new SchemaContent(SchemaType.AUTO_CONSUME, new byte[0], Map.of())));
        assertThat(storedValues()).isEmpty();
        assertThat(produce("x", ID)).isZero();
    }

    private long produce(String topic, SchemaContent schema) throws Exception {
        broker.open(topic);
        return await(schemas.admitProducer(TopicName.parse(topic), schema));
    }

    private void consume(SchemaContent schema, boolean isUnused) throws Exception {
        await(schemas.admitConsumer(TOPIC, schema, () -> CompletableFuture.completedFuture(isUnused)));
    }

    private List<String> storedValues() {
        return broker.log.values().keySet().stream()
                .filter(name -> name.startsWith("schema"))
                .toList();
    }

    static SchemaContent avro(String fields) {
        String text = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}";
        return new SchemaContent(SchemaType.AVRO, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static void assertKind(ErrorKind kind, String text, ThrowingCallable request) {
        assertThatThrownBy(request)
                .hasMessageContaining(text)
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }
}
