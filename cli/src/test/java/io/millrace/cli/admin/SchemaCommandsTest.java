package io.millrace.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.topic.TopicName;
import io.millrace.cli.Clients;
import io.millrace.cli.DefinedSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.common.schema.SchemaType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace schemas} against a broker, and how messages are peeked into by their schemas. */
@Timeout(60)
final class SchemaCommandsTest {
    private static final String ORDER = """
            {"type": "record", "name": "Order", "fields": [
              {"name": "count", "type": "int"},
              {"name": "to", "type": {"type": "record", "name": "Address", "fields": [
                {"name": "street", "type": "string"}]}},
              {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "SENT"]}}]}""";
    private static final String NEXT = """
            {"type": "record", "name": "Order", "fields": [
              {"name": "count", "type": "long"},
              {"name": "to", "type": {"type": "record", "name": "Address", "fields": [
                {"name": "road", "type": "string", "aliases": ["street"]},
                {"name": "floor", "type": ["null", "int"], "default": null}]}},
              {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "SENT", "GONE"]}}]}""";

    @TempDir
    private static Path folder;

    private static Broker broker;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(
                BrokerConfig.defaults(folder.resolve("data")).withPort(0).withHttpPort("0"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void schemasAreSetListedToldAndDeleted() throws Exception {
        assertThat(run("set", "orders", file(ORDER)).lines()).containsExactly("version 0");
        assertThat(run("set", "orders", file(ORDER.replace("\n", " "))).lines()).containsExactly("version 0");
        CommandRun list = run("list", "orders");
        assertThat(list.lines()).hasSize(2);
        assertThat(list.lines().get(0)).matches("VERSION +TYPE +SINCE +CHARACTERS");
        assertThat(list.lines().get(1)).matches(" +0  AVRO  \\d{4}-\\d\\d-\\d\\dT\\S+Z +\\d+");
        assertThat(run("get", "orders").text()).startsWith("{").contains("\"name\" : \"Order\"");
        assertThat(run("get", "orders", "--version", "0", "--json").text()).contains("\"type\" : \"AVRO\"");
        assertThat(run("get", "orders", "--version", "7").lines().get(0)).contains("no version 7");
        assertThat(run("delete", "orders")).isEqualTo(new CommandRun(0, List.of()));
        assertThat(run("list", "orders").lines()).hasSize(1);
        assertThat(run("get", "orders").exitCode()).isEqualTo(1);
    }

    @Test
    void whatGetPrintsIsWhatSetTakes() throws Exception {
        run("set", "copied", file(ORDER));
        String printed = run("get", "copied").text();
        assertThat(run("set", "copy", file(printed)).lines()).containsExactly("version 0");
        assertThat(run("set", "copied", file(printed)).lines()).containsExactly("version 0");
        assertThat(run("set", "text", file("{\"type\": \"STRING\", \"schema\": \"\"}"))
                        .lines())
                .containsExactly("version 0");
        assertThat(run("get", "text").lines()).containsExactly("STRING");
        assertThat(run("set", "number", file(""), "--type", "int32").lines()).containsExactly("version 0");
        String both = "{\"type\": \"KEY_VALUE\", \"schema\": {\"key\": \"\", \"value\": " + ORDER
                + "}, \"properties\": {\"key.schema.type\": \"STRING\", \"value.schema.type\": \"AVRO\","
                + " \"kv.encoding.type\": \"SEPARATED\"}}";
        assertThat(run("set", "pairs", file(both)).lines()).containsExactly("version 0");
    }

    @Test
    void twoVersionsAreCompared() throws Exception {
        CommandRun unused =
                CommandRun.of(new NamespacesCommand(), "create", "lax/dev", "--admin-url", broker.httpServiceUrl());
        NamespaceName lax = NamespaceName.parse("lax/dev");
        broker.namespaces()
                .setPolicy(lax, "schema-compatibility", "ALWAYS_COMPATIBLE")
                .toCompletableFuture()
                .get();
        run("set", "lax/dev/orders", file(ORDER));
        assertThat(run("set", "lax/dev/orders", file(NEXT)).lines()).containsExactly("version 1");
        assertThat(run("set", "lax/dev/orders", file(""), "--type", "STRING").lines())
                .containsExactly("version 2");
        assertThat(run("diff", "lax/dev/orders", "0", "1").lines())
                .containsExactly(
                        "FIELD     CHANGE   BEFORE     AFTER",
                        "count     retyped  int        long",
                        "to.road   renamed  street     road",
                        "to.road   aliases  -          street",
                        "to.floor  added    -          null | int = null",
                        "state     symbols  NEW, SENT  NEW, SENT, GONE");
        assertThat(run("diff", "lax/dev/orders", "1", "0").lines())
                .anyMatch(line -> line.matches("to.street +added +- +string"))
                .anyMatch(line -> line.matches("to.road +removed +string +-"))
                .anyMatch(line -> line.matches("to.floor +removed +null \\| int = null +-"));
        assertThat(run("diff", "lax/dev/orders", "0", "2").lines().get(1))
                .matches("\\(schema\\) +retyped +AVRO +STRING");
        assertThat(run("diff", "lax/dev/orders", "1", "1").text()).contains("are the same");
        assertThat(run("diff", "lax/dev/orders", "0", "1", "--json").text())
                .contains("\"field\" : \"to.floor\"", "\"after\" : \"null | int = null\"");
        assertThat(run("diff", "lax/dev/orders", "0", "9").lines().get(0)).contains("no version 9");
    }

    @Test
    void aCheckSaysWhatWouldBecomeOfASchemaAndChangesNothing() throws Exception {
        run("set", "checked", file(ORDER));
        String retyped = ORDER.replace("\"int\"", "\"string\"");
        CommandRun refused = run("check", file(retyped), "--topic", "checked");
        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.lines().get(0))
                .startsWith("refused: Incompatible schema: field 'count'")
                .contains("string", "int", "schema-compatibility=FULL", "version 0", "keep the type");
        CommandRun json = run("check", file(retyped), "--topic", "checked", "--json");
        assertThat(json.exitCode()).isEqualTo(4);
        assertThat(json.text())
                .contains("\"compatibility\" : false", "\"reason\" : \"Incompatible schema: field 'count'");
        assertThat(run("check", file(ORDER), "--topic", "checked"))
                .isEqualTo(new CommandRun(0, List.of("taken: it is version 0 of the topic")));
        String wider = ORDER.replace(
                "\"fields\": [\n  {\"name\": \"count\"",
                "\"fields\": [\n  {\"name\": \"note\", "
                        + "\"type\": \"string\", \"default\": \"\"}, {\"name\": \"count\"");
        assertThat(run("check", file(wider), "--topic", "checked").lines())
                .containsExactly("taken, by schema-compatibility=FULL: it would be a new version");
        CommandRun garbage = run("check", file("{\"type\": \"recor"), "--topic", "checked");
        assertThat(garbage.exitCode()).isEqualTo(4);
        assertThat(garbage.lines().get(0))
                .startsWith("refused: Invalid schema: the definition is not one of type AVRO");
        assertThat(run("check", file(""), "--type", "int32", "--topic", "checked")
                        .exitCode())
                .isEqualTo(4);
        assertThat(run("check", file(ORDER), "--topic", "nobody-made-it").exitCode())
                .isZero();
        assertThat(run("list", "checked").lines()).hasSize(2);
        assertThat(run("list", "nobody-made-it").lines()).hasSize(1);
    }

    @Test
    void whereClientsBringNoSchemasACheckSaysThatOneIsSetFirst() throws Exception {
        run("set", "closed", file(ORDER));
        broker.namespaces()
                .schemas()
                .setPolicy(TopicName.parse("closed"), "schema-auto-update", "false")
                .toCompletableFuture()
                .get();
        String wider = ORDER.replace(
                "\"fields\": [\n  {\"name\": \"count\"",
                "\"fields\": [\n  {\"name\": \"note\", "
                        + "\"type\": \"string\", \"default\": \"\"}, {\"name\": \"count\"");
        assertThat(run("check", file(wider), "--topic", "closed").lines().get(0))
                .startsWith("taken if it is set first");
    }

    @Test
    void whatIsWrongIsTold() {
        assertThat(CommandRun.of(new SchemasCommand()).text())
                .contains("check", "delete", "diff", "get", "list", "set");
        CommandRun missing = run("set", "orders", folder.resolve("none").toString());
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.text()).contains("cannot read");
        assertThat(run("list", "a/b").exitCode()).isEqualTo(2);
        assertThat(run("get", "never-set").text()).contains("has no schema");
    }

    @Test
    void messagesArePeekedIntoByTheSchemaTheyWereWrittenWith() throws Exception {
        CommandRun made = subscriptions("create", "peeked", "s");
        assertThat(made.exitCode()).isZero();
        Schema<byte[]> first = DefinedSchema.of(SchemaType.AVRO, ORDER);
        try (PulsarClient client = Clients.open(broker.serviceUrl())) {
            publish(client, "peeked", first, new byte[] {4, 6, 'H', 'a', 'l', 2});
            publish(client, "peeked", first, new byte[] {4, 99});
            publish(client, "peeked", Schema.BYTES, "plain".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(subscriptions("peek", "peeked", "s", "--count", "9").lines())
                .hasSize(3)
                .anyMatch(line -> line.endsWith("\t{\"count\":2,\"to\":{\"street\":\"Hal\"},\"state\":\"SENT\"}"))
                .anyMatch(line -> line.endsWith("\tplain"));
        assertThat(subscriptions("peek", "peeked", "s", "--count", "9", "--json")
                        .text())
                .contains("\"street\" : \"Hal\"", "it ends too early", "\"bytes\" : \"BGM=\"", "\"version\" : 0");
    }

    private static void publish(PulsarClient client, String topic, Schema<byte[]> schema, byte[] value)
            throws Exception {
        try (Producer<byte[]> producer =
                client.newProducer(schema).topic(topic).enableBatching(false).create()) {
            producer.send(value);
        }
    }

    private static String file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "schema", ".json"), text)
                .toString();
    }

    private static CommandRun subscriptions(String... arguments) {
        return here(new SubscriptionsCommand(), arguments);
    }

    private static CommandRun run(String... arguments) {
        return here(new SchemasCommand(), arguments);
    }

    private static CommandRun here(Object command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--admin-url", broker.httpServiceUrl()));
        return CommandRun.of(command, all.toArray(String[]::new));
    }
}
