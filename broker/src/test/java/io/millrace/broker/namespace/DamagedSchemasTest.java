package io.millrace.broker.namespace;

import static io.millrace.broker.namespace.NamespacesFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of stored schemas change on the disk. */
@Timeout(60)
class DamagedSchemasTest {
    private static final TopicName TOPIC = TopicName.parse("x");
    private static final TopicName OTHER = TopicName.parse("y");
    private static final int ENOUGH_FOR_A_SNAPSHOT = 400;

    @TempDir
    Path folder;

    private NamespacesFixture open() throws Exception {
        return new NamespacesFixture(
                LogConfig.defaults(folder).withJournal(16 * 1024, 4), new DiskFiles(), NamespaceSettings.DEFAULTS);
    }

    @Test
    @Behaviour({"REG-8", "LOG-14"})
    void aContentThatCannotBeReadCostsThatVersionAlone() throws Exception {
        store();
        damage("{\"name\":\"id\",\"type\":\"string\"}]", 0);
        try (NamespacesFixture broker = open()) {
            Schemas schemas = broker.names.schemas();
            assertUnreadable(schemas.latest(TOPIC));
            assertUnreadable(schemas.post(TOPIC, SchemasTest.ID_AND_COUNT));
            assertThat(await(schemas.latest(OTHER)).content()).isEqualTo(SchemasTest.TEXT);
            await(schemas.delete(TOPIC));
            assertThat(await(schemas.post(TOPIC, SchemasTest.ID))).isEqualTo(2);
            assertThat(await(schemas.latest(TOPIC)).content()).isEqualTo(SchemasTest.ID);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    @Behaviour({"REG-8", "LOG-14"})
    void whileVersionsCannotBeReadNoContentIsRemoved(int bytesBehindTheName) throws Exception {
        store();
        damage("schemas persistent://public/default/x", bytesBehindTheName);
        try (NamespacesFixture broker = open()) {
            Schemas schemas = broker.names.schemas();
            List<String> contents = contents(broker);
            assertThat(contents).hasSize(2);
            assertUnreadable(schemas.post(TOPIC, SchemasTest.ID));
            await(schemas.delete(OTHER));
            assertThat(contents(broker)).isEqualTo(contents);
        }
    }

    private static List<String> contents(NamespacesFixture broker) {
        return broker.log.values().keySet().stream()
                .filter(name -> name.startsWith("schema "))
                .sorted()
                .toList();
    }

    private void store() throws Exception {
        try (NamespacesFixture broker = open()) {
            await(broker.names.schemas().post(TOPIC, SchemasTest.ID));
            await(broker.names.schemas().post(OTHER, SchemasTest.TEXT));
        }
        try (NamespacesFixture broker = open()) {
            for (int i = 0; i < ENOUGH_FOR_A_SNAPSHOT; i++) {
                await(broker.names
                        .schemas()
                        .setPolicy(OTHER, "schema-compatibility", i % 2 == 0 ? "FULL" : "BACKWARD"));
            }
        }
    }

    /** Changes a byte in the snapshot: the last one of that text, or one behind it. */
    private void damage(String text, int behind) throws Exception {
        Path snapshot = folder.resolve("snapshot");
        byte[] bytes = Files.readAllBytes(snapshot);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).as("where the snapshot has " + text).isNotNegative();
        bytes[at + text.length() - 1 + behind] ^= 1;
        Files.write(snapshot, bytes);
    }

    private static void assertUnreadable(CompletionStage<?> asked) {
        assertThatThrownBy(() -> await(asked))
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR))
                .hasMessageContaining("cannot be read");
    }
}
