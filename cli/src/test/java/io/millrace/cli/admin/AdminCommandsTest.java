package io.millrace.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.cli.Clients;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verbs that administer, against a broker: what they print, do and refuse. */
@Timeout(60)
final class AdminCommandsTest {
    @TempDir
    private static Path folder;

    private static Broker broker;

    private int exitCode;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0).withHttpPort("0"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void namespacesAreMadeWithTheirTenantsListedAndDeleted() {
        assertThat(namespaces("create", "acme/dev")).isEmpty();
        assertThat(namespaces("create", "acme/test")).isEmpty();
        assertThat(namespaces("list", "acme")).containsExactly("NAMESPACE", "acme/dev", "acme/test");
        assertThat(namespaces("list")).contains("acme/dev", "public/default");
        assertThat(namespaces("create", "acme/dev").get(0)).contains("exist");
        assertThat(exitCode).isEqualTo(1);
        topics("create", "acme/dev/orders");
        assertThat(namespaces("delete", "acme/dev").get(0)).contains("acme/dev");
        assertThat(exitCode).isEqualTo(1);
        assertThat(namespaces("delete", "acme/dev", "--force")).isEmpty();
        assertThat(namespaces("list", "acme", "--json")).containsExactly("[ \"acme/test\" ]");
    }

    @Test
    void topicsAreMadeGrownListedAndDeleted() {
        namespaces("create", "shop/dev");
        topics("create", "shop/dev/orders", "--partitions", "3");
        topics("create", "shop/dev/one");
        topics("create", "non-persistent://shop/dev/events", "--partitions", "2");
        topics("grow", "shop/dev/orders", "5");
        assertThat(topics("list", "shop/dev"))
                .containsExactly(
                        "TOPIC                             PARTITIONS",
                        "non-persistent://shop/dev/events  2",
                        "persistent://shop/dev/one         -",
                        "persistent://shop/dev/orders      5");
        topics("delete", "shop/dev/orders");
        topics("delete", "shop/dev/one");
        assertThat(String.join("", topics("list", "shop/dev", "--json")))
                .isEqualTo("[ {  \"topic\" : \"non-persistent://shop/dev/events\",  \"partitions\" : 2} ]");
        assertThat(topics("delete", "shop/dev/one").get(0)).contains("shop/dev/one");
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void subscriptionsAreMadeLookedIntoAndMoved() throws Exception {
        publish("numbers", 20);
        subscriptions("create", "numbers", "a subscription/of mine", "--from", "earliest");
        assertThat(backlog()).isEqualTo(20);
        assertThat(subscriptions("peek", "numbers", "a subscription/of mine", "--count", "3"))
                .hasSize(3)
                .allMatch(line -> line.matches("\\d+:\\d+\t-\tm\\d"))
                .last()
                .asString()
                .endsWith("m2");
        subscriptions("skip", "numbers", "a subscription/of mine", "5");
        assertThat(backlog()).isEqualTo(15);
        String sixth =
                subscriptions("peek", "numbers", "a subscription/of mine").get(0);
        assertThat(sixth).endsWith("m5");
        subscriptions("skip", "numbers", "a subscription/of mine", "--all");
        assertThat(backlog()).isZero();
        assertThat(subscriptions("peek", "numbers", "a subscription/of mine")).isEmpty();
        subscriptions("reset", "numbers", "a subscription/of mine", "--to", sixth.split("\t", -1)[0]);
        assertThat(backlog()).isEqualTo(15);
        subscriptions("reset", "numbers", "a subscription/of mine", "--to", "2026-01-01T00:00:00Z");
        assertThat(backlog()).isEqualTo(20);
        subscriptions("expire", "numbers", "a subscription/of mine", "3600");
        assertThat(backlog()).isEqualTo(20);
        subscriptions("reset", "numbers", "a subscription/of mine", "--to", "latest");
        assertThat(backlog()).isZero();
        assertThat(topics("stats", "numbers").get(1)).startsWith("persistent://public/default/numbers");
        subscriptions("delete", "numbers", "a subscription/of mine");
        assertThat(subscriptions("list", "numbers"))
                .containsExactly("SUBSCRIPTION  TYPE  BACKLOG  UNACKNOWLEDGED  CONSUMERS");
    }

    private static void publish(String topic, int count) throws Exception {
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Producer<byte[]> producer =
                        client.newProducer().topic(topic).enableBatching(false).create()) {
            for (int i = 0; i < count; i++) {
                producer.send(("m" + i).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private long backlog() {
        String row = subscriptions("list", "numbers").get(1);
        return Long.parseLong(
                row.substring("a subscription/of mine".length()).strip().split(" +", -1)[1]);
    }

    @Test
    void everyPolicyIsSetToldAndRemoved() {
        namespaces("create", "policies/dev");
        topics("create", "policies/dev/orders");
        Map<String, String> values = new TreeMap<>(Map.of(
                "backlog-quota-size", "1048576,0,producer_exception",
                "backlog-quota-age", "-1,60,consumer_backlog_eviction",
                "publish-rate", "100,-1",
                "dispatch-rate", "100,-1,false,1",
                "subscription-dispatch-rate", "7,-1,false,1",
                "subscribe-rate", "5,30",
                "retention", "1440,-1",
                "inactive-topics", "delete_when_no_subscriptions,3600,true",
                "delayed-delivery", "1000,true,0",
                "subscription-types", "Exclusive,Key_Shared"));
        values.putAll(Map.of(
                "auto-subscriptions", "false",
                "schema-compatibility", "FULL",
                "schema-validation-enforced", "true",
                "schema-auto-update", "false"));
        for (String key : PolicyKey.Keys.all()) {
            if (!Set.of("auto-topics", "max-topics-per-namespace").contains(key)) {
                assertIsKept("policies/dev/orders", key, values.getOrDefault(key, "9"));
            }
            if (!key.equals("max-message-bytes")) {
                assertIsKept("policies/dev", key, values.getOrDefault(key, key.equals("auto-topics") ? "never" : "9"));
            }
        }
        assertIsKept("policies/dev", "auto-topics", "partitioned,4");
        assertIsKept("policies/dev", "auto-topics", "non-partitioned");
    }

    private void assertIsKept(String target, String key, String value) {
        policies("get", target, key);
        assertThat(exitCode).as(key).isZero();
        List<String> before = policies("get", target, key);
        assertThat(before).as(key).isNotEqualTo(List.of(value));
        assertThat(run(new PoliciesCommand(), "set", "--admin-url", broker.httpServiceUrl(), "--", target, key, value))
                .as(key)
                .isEmpty();
        assertThat(policies("get", target, key)).as(key).containsExactly(value);
        assertThat(policies("remove", target, key)).as(key).isEmpty();
        assertThat(policies("get", target, key)).as(key).isEqualTo(before);
    }

    @Test
    void aPolicyIsToldAsWhatApplies() {
        namespaces("create", "policies/levels");
        topics("create", "policies/levels/orders");
        policies("set", "policies/levels", "retention", "60,10");
        assertThat(policies("get", "policies/levels/orders", "retention")).containsExactly("-");
        assertThat(policies("get", "policies/levels/orders", "retention", "--json"))
                .containsExactly("null");
        assertThat(policies("get", "policies/levels/orders", "retention", "--applied"))
                .containsExactly("60,10");
        assertThat(policies("get", "policies/levels", "retention", "--json"))
                .contains("  \"retentionTimeInMinutes\" : 60,");
    }

    @Test
    void aPolicyThatCannotBeIsRefused() {
        assertThat(policies("set", "public/default", "retention", "60").get(0))
                .contains("retention", "retentionTimeInMinutes,retentionSizeInMB");
        assertThat(exitCode).isEqualTo(2);
        assertThat(policies("set", "public/default", "max-message-bytes", "9").get(0))
                .contains("a topic alone");
        assertThat(exitCode).isEqualTo(2);
        assertThat(policies("get", "public/default", "nonsense").get(0)).contains("retention", "nonsense");
        assertThat(exitCode).isEqualTo(2);
        assertThat(policies("set", "public/default", "schema-compatibility", "SOME")
                        .get(0))
                .contains("FULL");
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void batchesArePeekedMessageByMessage() throws Exception {
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Producer<byte[]> producer = client.newProducer()
                        .topic("batches")
                        .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                        .create()) {
            subscriptions("create", "batches", "s");
            for (int i = 0; i < 4; i++) {
                CompletableFuture<MessageId> unused = producer.newMessage()
                        .key("k" + i)
                        .value(("m" + i).getBytes(StandardCharsets.UTF_8))
                        .sendAsync();
            }
            producer.flush();
        }
        assertThat(subscriptions("peek", "batches", "s", "--count", "10"))
                .hasSize(4)
                .allMatch(line -> line.matches("\\d+:\\d+:(\\d)\tk\\1\tm\\1"));
        assertThat(subscriptions("peek", "batches", "s", "--json"))
                .anyMatch(line -> line.contains("\"text\" : \"m0\""));
        String third =
                subscriptions("peek", "batches", "s", "--count", "3").get(2).split("\t", -1)[0];
        subscriptions("reset", "batches", "s", "--to", third);
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("batches")
                        .subscriptionName("s")
                        .subscribe()) {
            assertThat(new String(consumer.receive().getData(), StandardCharsets.UTF_8))
                    .isEqualTo("m2");
        }
    }

    @Test
    void whatOnlyAClientCanReadIsPeekedWithTheReason() throws Exception {
        subscriptions("create", "packed", "s");
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Producer<byte[]> producer = client.newProducer()
                        .topic("packed")
                        .enableBatching(false)
                        .compressionType(CompressionType.LZ4)
                        .create()) {
            producer.send(new byte[100_000]);
        }
        publish("packed", 1);
        assertThat(subscriptions("peek", "packed", "s", "--count", "9"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("\\d+:\\d+\t-\t\\(a message is compressed with LZ4,"
                                        + " which only a client can read\\)"),
                        line -> assertThat(line).endsWith("\tm0"));
        assertThat(subscriptions("peek", "packed", "s", "--json"))
                .anyMatch(line -> line.contains("\"error\" : \"a message is compressed with LZ4"));
        assertThat(subscriptions("peek", "non-persistent://public/default/packed", "s")
                        .get(0))
                .isNotEmpty();
        assertThat(exitCode).isEqualTo(1);
    }

    @Test
    void aClusterSaysWhichOfItsBrokersHasATopic() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Location", broker.httpServiceUrl() + exchange.getRequestURI());
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
        other.start();
        try {
            String url = "http://127.0.0.1:" + other.getAddress().getPort();
            run(new TopicsCommand(), "create", "elsewhere", "--partitions", "2", "--admin-url", url);
            run(new TopicsCommand(), "grow", "elsewhere", "3", "--admin-url", url);
            assertThat(run(new TopicsCommand(), "list", "--admin-url", url))
                    .contains("persistent://public/default/elsewhere  3");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void helpSaysWhatAVerbTakes() {
        assertThat(String.join(" ", run(new SubscriptionsCommand(), "skip", "--help")))
                .containsPattern("TOPIC NAME +\\[N]");
        assertThat(String.join(" ", run(new SubscriptionsCommand(), "peek", "--help")))
                .contains("(default: 1)");
    }

    @Test
    void whatIsWrongIsTold() {
        assertThat(topics("list", "nonsense").get(0)).contains("tenant/namespace");
        assertThat(exitCode).isEqualTo(2);
        assertThat(topics("delete", "a/b").get(0)).contains("tenant/namespace/name");
        assertThat(exitCode).isEqualTo(2);
        assertThat(topics().get(0)).contains("create, delete, grow, list");
        assertThat(exitCode).isEqualTo(2);
        assertThat(subscriptions("skip", "numbers", "s").get(0)).contains("how many");
        assertThat(exitCode).isEqualTo(2);
        assertThat(subscriptions("reset", "numbers", "s", "--to", "sometime").get(0))
                .contains("LEDGER:ENTRY");
        assertThat(exitCode).isEqualTo(2);
        assertThat(subscriptions("list", "nobody-made-it").get(0)).contains("nobody-made-it");
        assertThat(exitCode).isEqualTo(1);
        assertThat(subscriptions("peek", "nobody-made-it", "s").get(0)).contains("nobody-made-it");
        assertThat(run(new TopicsCommand(), "list", "--admin-url", "http://127.0.0.1:1")
                        .get(0))
                .contains("nobody answers at http://127.0.0.1:1", "--http-port");
        assertThat(exitCode).isEqualTo(1);
        assertThat(run(new TopicsCommand(), "list", "--admin-url", "nonsense").get(0))
                .contains("--admin-url is http://HOST:PORT");
        assertThat(exitCode).isEqualTo(2);
    }

    private List<String> namespaces(String... arguments) {
        return here(new NamespacesCommand(), arguments);
    }

    private List<String> topics(String... arguments) {
        return here(new TopicsCommand(), arguments);
    }

    private List<String> policies(String... arguments) {
        return here(new PoliciesCommand(), arguments);
    }

    private List<String> subscriptions(String... arguments) {
        return here(new SubscriptionsCommand(), arguments);
    }

    private List<String> here(Object command, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (!all.isEmpty()) {
            all.addAll(List.of("--admin-url", broker.httpServiceUrl()));
        }
        return run(command, all.toArray(String[]::new));
    }

    private List<String> run(Object command, String... arguments) {
        CommandRun run = CommandRun.of(command, arguments);
        exitCode = run.exitCode();
        return run.lines();
    }
}
