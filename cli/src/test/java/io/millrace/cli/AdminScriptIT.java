package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.cli.ImageTree.Run;
import java.nio.file.Path;
import java.util.Map;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The image's pulsar-admin takes what containers that prepare a broker say, with Pulsar's options, units and answers. */
@Timeout(120)
final class AdminScriptIT {
    @TempDir
    private static Path folder;

    private static Broker broker;
    private static ImageTree image;

    @BeforeAll
    static void start() throws Exception {
        image = ImageTree.in(folder);
        broker = Broker.start(
                BrokerConfig.defaults(folder.resolve("messages")).withPort(0).withHttpPort("0"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void tenantsAndNamespacesAreMadeAndDeleted() throws Exception {
        assertDone("tenants create shop --admin-roles admin,other --allowed-clusters standalone");
        assertThat(admin("tenants get shop")).isEqualTo("""
                        0: {
                          "adminRoles" : ["admin","other"],
                          "allowedClusters" : ["standalone"]
                        }
                        """);
        assertDone("namespaces create shop/dev --bundles 4");
        assertThat(admin("namespaces policies shop/dev")).startsWith("0: {").contains("replication_clusters");
        assertThat(admin("tenants delete shop")).startsWith("1: ");
        assertDone("namespaces delete shop/dev");
        assertDone("tenants delete shop");
        assertThat(admin("tenants list")).startsWith("0: ").doesNotContain("shop");
    }

    @Test
    void retentionHasUnits() throws Exception {
        assertDone("namespaces create retention/dev");
        assertThat(admin("namespaces get-retention retention/dev")).isEqualTo("0: null\n");
        assertDone("namespaces set-retention retention/dev -t 1d -s -1");
        assertThat(admin("namespaces get-retention retention/dev")).isEqualTo(retention(1440, -1));
        assertDone("namespaces set-retention retention/dev --time=2w --size 10G");
        assertThat(admin("namespaces get-retention retention/dev")).isEqualTo(retention(20_160, 10_240));
        assertDone("topics create retention/dev/orders");
        assertThat(admin("topics get-retention retention/dev/orders --applied")).isEqualTo(retention(20_160, 10_240));
        assertDone("topicPolicies set-retention retention/dev/orders -t 120 -s 5m");
        assertThat(admin("topics get-retention retention/dev/orders")).isEqualTo(retention(2, 5));
        assertDone("namespaces remove-retention retention/dev");
        assertThat(admin("namespaces get-retention retention/dev")).isEqualTo("0: null\n");
        assertThat(admin("namespaces set-retention retention/dev -t 1d")).contains("1: ", "needs --size");
        assertThat(admin("namespaces set-retention retention/dev -t 1x -s 1")).contains("1: ", "no unit x");
    }

    private static String retention(int minutes, int mebibytes) {
        return "0: {\n  \"retentionTimeInMinutes\" : " + minutes + ",\n  \"retentionSizeInMB\" : " + mebibytes
                + "\n}\n";
    }

    @Test
    void otherPoliciesAreSetToldAndRemoved() throws Exception {
        assertDone("namespaces create policies/dev");
        assertDone("namespaces set-message-ttl policies/dev -ttl 1h");
        assertThat(admin("namespaces get-message-ttl policies/dev")).isEqualTo("0: 3600\n");
        assertDone("namespaces remove-message-ttl policies/dev");
        assertThat(admin("namespaces get-message-ttl policies/dev")).isEqualTo("0: null\n");
        assertDone("topics create policies/dev/orders");
        assertDone("topics set-message-ttl policies/dev/orders -t 2h");
        assertThat(admin("topics get-message-ttl policies/dev/orders")).isEqualTo("0: 7200\n");
        assertDone("namespaces set-backlog-quota policies/dev -l 10M -p producer_exception");
        assertDone("namespaces set-backlog-quota policies/dev -lt 1h -p consumer_backlog_eviction -t message_age");
        assertThat(admin("namespaces get-backlog-quotas policies/dev"))
                .startsWith("0: destination_storage    {\"limitSize\":10485760,")
                .contains("\"producer_exception\"", "}\nmessage_age    {", "\"limitTime\":3600,");
        assertDone("namespaces remove-backlog-quota policies/dev -t message_age");
        assertDone("namespaces remove-backlog-quota policies/dev");
        assertDone("namespaces get-backlog-quotas policies/dev");
        assertDone("namespaces set-schema-compatibility-strategy policies/dev -c FULL");
        assertThat(admin("namespaces get-schema-compatibility-strategy policies/dev"))
                .isEqualTo("0: FULL\n");
        assertDone("namespaces set-auto-topic-creation policies/dev --enable --type partitioned -n 3");
        assertThat(admin("namespaces get-auto-topic-creation policies/dev"))
                .contains("\"topicType\" : \"partitioned\"", "\"defaultNumPartitions\" : 3");
        assertDone("namespaces set-auto-topic-creation policies/dev -d");
        assertThat(admin("namespaces get-auto-topic-creation policies/dev"))
                .contains("\"allowAutoTopicCreation\" : false");
        assertDone("namespaces remove-auto-topic-creation policies/dev");
        assertThat(admin("namespaces set-auto-topic-creation policies/dev")).contains("1: ", "either --enable or");
        assertThat(admin("namespaces set-dispatch-rate policies/dev -md 5"))
                .contains("1: ", "no 'namespaces set-dispatch-rate' here");
    }

    @Test
    void aCursorIsResetByAge() throws Exception {
        assertDone("topics create-subscription orders -s kitchen%2F1");
        assertThat(admin("topics create-subscription orders -s --help")).contains("1: ", "with a dash");
        try (PulsarClient client = Clients.open(broker.serviceUrl());
                Producer<byte[]> producer = client.newProducer()
                        .topic("orders")
                        .enableBatching(false)
                        .create()) {
            MessageId unused = producer.send(new byte[1]);
        }
        assertDone("topics clear-backlog orders -s kitchen%2F1");
        assertThat(admin("topics stats orders")).contains("\"msgBacklog\" : 0");
        assertDone("topics reset-cursor orders -s kitchen%2F1 -t 1h");
        assertThat(admin("topics stats orders")).contains("\"msgBacklog\" : 1");
        assertThat(admin("topics expire-messages orders -s kitchen%2F1 -t -5")).contains("1: ", "an age of 0 or more");
        assertThat(admin("topics reset-cursor orders -s kitchen%2F1")).contains("1: ", "needs --time or --messageId");
    }

    private static void assertDone(String command) throws Exception {
        assertThat(admin(command)).as(command).isEqualTo("0: ");
    }

    private static String admin(String command) throws Exception {
        String line = "exec bin/pulsar-admin --admin-url " + broker.httpServiceUrl() + ' ' + command;
        try (Run run = image.run(Map.of(), "/bin/bash", "-c", line)) {
            return run.exitCode() + ": " + run.out();
        }
    }
}
