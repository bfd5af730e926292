package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.ObjectMapper;
import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.http.RawHttp;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes over the wire, byte by byte where tools compare it; the admin client's own tests stand in the module junit. */
@Timeout(60)
class AdminApiTest {
    @TempDir
    Path folder;

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0).withHttpPort(0));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String ask(String method, String path, String body) throws IOException {
        String type = body.isEmpty() ? "" : "\r\nContent-Type: application/json";
        return RawHttp.ask(broker.httpPort(), method + " " + path + " HTTP/1.1" + type, body);
    }

    private String get(String path) throws IOException {
        return ask("GET", path, "");
    }

    private static String bodyOf(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void whatWaitsForABrokerFindsIt() throws IOException {
        assertThat(bodyOf(get("/admin/v2/clusters"))).isEqualTo("[\"standalone\"]");
        assertThat(get("/admin/v2/brokers/health")).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nok");
        assertThat(get("/admin/v2/brokers/ready")).startsWith("HTTP/1.1 200");
        assertThat(get("/admin/v2/brokers/version")).startsWith("HTTP/1.1 200");
        String host = "127.0.0.1:" + broker.httpPort();
        assertThat(bodyOf(get("/admin/v2/brokers/standalone"))).isEqualTo("[\"" + host + "\"]");
        assertThat(bodyOf(get("/admin/v2/clusters/standalone")))
                .contains("\"serviceUrl\":\"http://" + host + "\"")
                .contains("\"brokerServiceUrl\":\"" + broker.serviceUrl() + "\"");
        assertThat(get("/admin/v2/clusters/other")).startsWith("HTTP/1.1 404").contains("{\"reason\":");
    }

    @Test
    void lookupAnswersThisBroker() throws IOException {
        assertThat(bodyOf(get("/lookup/v2/topic/persistent/public/default/a")))
                .isEqualTo("{\"brokerUrl\":\"" + broker.serviceUrl() + "\",\"httpUrl\":\"" + broker.httpServiceUrl()
                        + "\",\"nativeUrl\":\"" + broker.serviceUrl() + "\",\"brokerUrlSsl\":\"\"}");
        assertThat(get("/lookup/v2/topic/persistent/no/such/a")).startsWith("HTTP/1.1 404");
        assertThat(get("/lookup/v2/topic/other/public/default/a")).startsWith("HTTP/1.1 412");
        assertThat(get("/lookup/v2/topic/persistent/public/default/a%2Fb")).startsWith("HTTP/1.1 412");
    }

    private JsonNode tree(String path) throws IOException {
        String body = bodyOf(RawHttp.ask(broker.httpPort(), "GET " + path + " HTTP/1.0", ""));
        return new ObjectMapper().readTree(body);
    }

    @Test
    void allOpenTopicsAreToldByOneRequest() throws IOException {
        assertThat(tree("/admin/v2/broker-stats/topics")).isEmpty();
        ask("PUT", "/admin/v2/namespaces/public/second", "{}");
        for (int i = 0; i < 250; i++) {
            ask("PUT", "/admin/v2/persistent/public/default/topic-" + i + "/subscription/audit", "");
        }
        ask("PUT", "/admin/v2/persistent/public/second/topic/subscription/audit", "");
        JsonNode all = tree("/admin/v2/broker-stats/topics");
        assertThat(all.fieldNames()).toIterable().containsExactly("public/default", "public/second");
        assertThat(all.at("/public~1default/0x00000000_0xffffffff/persistent")).hasSize(250);
        assertThat(all.at("/public~1second/0x00000000_0xffffffff").toString())
                .isEqualTo(
                        "{\"persistent\":{\"persistent://public/second/topic\":{\"publishers\":[],\"replication\":{},"
                                + "\"subscriptions\":{\"audit\":{\"consumers\":[],\"msgBacklog\":0,\"msgRateExpired\":0.0,"
                                + "\"msgRateOut\":0.0,\"messageAckRate\":0.0,\"msgThroughputOut\":0.0,"
                                + "\"msgRateRedeliver\":0.0,\"numberOfEntriesSinceFirstNotAckedMessage\":1,"
                                + "\"totalNonContiguousDeletedMessagesRange\":0,\"type\":\"None\"}},\"producerCount\":0,"
                                + "\"averageMsgSize\":0.0,\"msgRateIn\":0.0,\"msgRateOut\":0.0,\"msgInCount\":0,"
                                + "\"bytesInCount\":0,\"msgOutCount\":0,\"bytesOutCount\":0,\"msgThroughputIn\":0.0,"
                                + "\"msgThroughputOut\":0.0,\"storageSize\":0,\"backlogSize\":0,"
                                + "\"pendingAddEntriesCount\":0,\"filteredEntriesCount\":0}}}");
    }

    @Test
    void refusalsHaveTheWordsThatToolsCompare() throws IOException {
        String there = "/admin/v2/namespaces/public/default/";
        String gone = "/admin/v2/namespaces/public/none/";
        assertRefused("POST", there + "maxTopicsPerNamespace", "-1", "maxTopicsPerNamespace must be 0 or more");
        assertRefused("POST", there + "maxTopicsPerNamespace", "3000000000", "at most 2147483647, but is 3000000000");
        assertRefused(
                "POST",
                there + "subscriptionExpirationTime",
                "-60",
                "\"Invalid value for subscription expiration time\"");
        assertRefused("POST", there + "messageTTL", "-1", "Invalid value for message TTL, message TTL must >= 0");
        String detail = "Invalid configuration for autoTopicCreationOverride. the detail is [defaultNumPartitions] ";
        assertRefused(
                "POST",
                there + "autoTopicCreation",
                "{\"allowAutoTopicCreation\":true,\"topicType\":\"partitioned\"}",
                detail + "cannot be null when the type is partitioned.");
        assertRefused(
                "POST",
                there + "autoTopicCreation",
                "{\"allowAutoTopicCreation\":true,\"topicType\":\"partitioned\",\"defaultNumPartitions\":-1}",
                detail + "cannot be less than 1 for partition type.");
        assertRefused(
                "POST",
                there + "autoTopicCreation",
                "{\"allowAutoTopicCreation\":true,\"topicType\":\"non-partitioned\",\"defaultNumPartitions\":3}",
                detail + "is not allowed to be set when the type is non-partition.");
        for (String policy : List.of("messageTTL", "schemaCompatibilityStrategy", "autoTopicCreation", "replication")) {
            assertThat(get(gone + policy))
                    .startsWith("HTTP/1.1 404")
                    .endsWith("{\"reason\":\"Namespace does not exist\"}");
        }
        assertThat(ask("POST", gone + "messageTTL", "10"))
                .startsWith("HTTP/1.1 404")
                .endsWith("{\"reason\":\"Namespace does not exist\"}");
    }

    private void assertRefused(String method, String path, String body, String words) throws IOException {
        assertThat(ask(method, path, body)).startsWith("HTTP/1.1 412").contains(words);
    }

    @Test
    void whatWouldBeOffloadedIsKeptAndToldAgain() throws IOException {
        String namespace = "/admin/v2/namespaces/public/default/";
        assertThat(bodyOf(get(namespace + "offloadThreshold"))).isEqualTo("-1");
        assertThat(bodyOf(get(namespace + "offloadThresholdInSeconds"))).isEqualTo("-1");
        assertThat(get(namespace + "offloadDeletionLagMs")).startsWith("HTTP/1.1 204");
        ask("PUT", namespace + "offloadThreshold", "10737418240");
        ask("PUT", namespace + "offloadThresholdInSeconds", "-60");
        ask("PUT", namespace + "offloadDeletionLagMs", "1000");
        assertThat(bodyOf(get(namespace + "offloadThreshold"))).isEqualTo("10737418240");
        assertThat(bodyOf(get(namespace + "offloadThresholdInSeconds"))).isEqualTo("-60");
        assertThat(bodyOf(get(namespace + "offloadDeletionLagMs"))).isEqualTo("1000");
        assertThat(bodyOf(get("/admin/v2/namespaces/public/default"))).contains("\"offload_threshold\":10737418240");
        ask("DELETE", namespace + "offloadDeletionLagMs", "");
        assertThat(get(namespace + "offloadDeletionLagMs")).startsWith("HTTP/1.1 204");
        String policies = "{\"managedLedgerOffloadDriver\":\"aws-s3\",\"managedLedgerOffloadMaxThreads\":4}";
        ask("POST", namespace + "offloadPolicies", policies);
        assertThat(bodyOf(get(namespace + "offloadPolicies"))).isEqualTo(policies);
        assertThat(ask("POST", namespace + "offloadPolicies", "[]")).startsWith("HTTP/1.1 400");
        ask("DELETE", namespace + "removeOffloadPolicies", "");
        assertThat(get(namespace + "offloadPolicies")).startsWith("HTTP/1.1 204");
        String topic = "/admin/v2/persistent/public/default/offloaded";
        ask("PUT", topic, "");
        ask("POST", topic + "/offloadPolicies", policies);
        assertThat(bodyOf(get(topic + "/offloadPolicies"))).isEqualTo(policies);
        ask("DELETE", topic + "/offloadPolicies", "");
        assertThat(get(topic + "/offloadPolicies")).startsWith("HTTP/1.1 204");
    }

    @Test
    void aTopicTellsTheClustersThatItWasGiven() throws IOException {
        String topic = "/admin/v2/persistent/public/default/given";
        ask("PUT", topic, "");
        assertThat(get(topic + "/replication")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(topic + "/replication?applied=true"))).isEqualTo("[\"standalone\"]");
        ask("POST", topic + "/replication", "[\"standalone\"]");
        assertThat(bodyOf(get(topic + "/replication"))).isEqualTo("[\"standalone\"]");
        assertThat(ask("POST", topic + "/replication", "[\"other\"]")).startsWith("HTTP/1.1 412");
        ask("DELETE", topic + "/replication", "");
        assertThat(get(topic + "/replication")).startsWith("HTTP/1.1 204");
    }

    @Test
    @Behaviour("PRO-7")
    void lookupAnswersTheListenerThatTheClientNames() throws IOException {
        broker.close();
        broker = Broker.start(BrokerConfig.defaults(folder)
                .withPort(0)
                .withHttpPort(0)
                .withAdvertisedListeners("inside:pulsar://localhost:7000,outside:pulsar://broker.example:7001"));
        String lookup = "/lookup/v2/topic/persistent/public/default/a";
        assertThat(get(lookup + "?listenerName=outside")).contains("\"brokerUrl\":\"pulsar://broker.example:7001\"");
        assertThat(get(lookup)).contains("\"brokerUrl\":\"pulsar://127.0.0.1:7000\"");
        assertThat(get(lookup + "?listenerName=other"))
                .startsWith("HTTP/1.1 405")
                .contains("no advertised listener 'other', only internal and inside, outside");
        assertThat(RawHttp.ask(broker.httpPort(), "GET " + lookup + " HTTP/1.1\r\nHost: broker.example", ""))
                .doesNotContain("403");
    }

    @Test
    void wrongBodiesAreRefusedByWhatIsWrong() throws IOException {
        String tenant = "/admin/v2/tenants/acme";
        assertThat(ask("PUT", tenant, "{\"allowedClusters\":[\"standalone\"")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "[]")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "null")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "{} {}")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "{\"adminRoles\":[[[[1]]]],\"allowedClusters\":{}}"))
                .startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "[".repeat(100_000))).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", tenant, "{}")).startsWith("HTTP/1.1 412").contains("Clusters can not be empty");
        assertThat(RawHttp.ask(broker.httpPort(), "PUT " + tenant + " HTTP/1.1\r\nContent-Type: text/plain", "{}"))
                .startsWith("HTTP/1.1 415");
        assertThat(ask("PATCH", tenant, "{}")).startsWith("HTTP/1.1 405");
        assertThat(ask("PUT", "/admin/v2/tenants/a%20b", "{\"allowedClusters\":[\"standalone\"]}"))
                .startsWith("HTTP/1.1 412");
        assertThat(bodyOf(get("/admin/v2/tenants"))).isEqualTo("[\"public\",\"pulsar\"]");
    }

    @Test
    void permissionsOfSeveralTopicsAreGrantedTogetherOrNotAtAll() throws IOException {
        String grant = "/admin/v2/namespaces/grantPermissionsOnTopics";
        String topic = "/admin/v2/persistent/public/default/a";
        assertThat(ask("PUT", topic, "")).startsWith("HTTP/1.1 204");
        String one = "{\"topic\":\"public/default/a\",\"role\":\"r\",\"actions\":[\"consume\"]}";
        for (String body : List.of(
                "[]",
                "{}",
                "null",
                "[1]",
                "[" + one + ",{\"topic\":\"public/default/a\",\"role\":\"r\"}]",
                "[" + one + ",{\"topic\":\"public/default/a\",\"actions\":[]}]",
                "[" + one + ",{\"topic\":7,\"role\":\"r\",\"actions\":[]}]",
                "[" + one + ",{\"topic\":\"public/default/a\",\"role\":\"r\",\"actions\":[\"fly\"]}]")) {
            assertThat(ask("POST", grant, body)).as(body).startsWith("HTTP/1.1 400");
        }
        assertThat(ask("POST", grant, "[" + one + "," + one.replace("default/a", "default/none") + "]"))
                .startsWith("HTTP/1.1 404");
        assertThat(ask("POST", grant, "[" + one + "," + one.replace("default/a", "default/a/b/c/d") + "]"))
                .startsWith("HTTP/1.1 4");
        assertThat(bodyOf(get(topic + "/permissions"))).isEqualTo("{}");
        assertThat(ask("POST", grant, "[" + one + "]")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(topic + "/permissions"))).isEqualTo("{\"r\":[\"consume\"]}");
        assertThat(ask("POST", "/admin/v2/namespaces/revokePermissionsOnTopics", "[" + one + "]"))
                .startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(topic + "/permissions"))).isEqualTo("{}");
    }

    @Test
    void aWebPageChangesNothing() throws IOException {
        String page =
                "PUT /admin/v2/tenants/evil HTTP/1.1\r\nContent-Type: application/json\r\nOrigin: http://evil.com";
        assertThat(RawHttp.ask(broker.httpPort(), page, "{\"allowedClusters\":[\"standalone\"]}"))
                .startsWith("HTTP/1.1 403");
        assertThat(bodyOf(get("/admin/v2/tenants"))).doesNotContain("evil");
    }

    @Test
    void partitionsAreANumberThatMakesSense() throws IOException {
        String partitions = "/admin/v2/persistent/public/default/many/partitions";
        for (String wrong : List.of("\"three\"", "1.5", "{}", "[3]", "99999999999")) {
            assertThat(ask("PUT", partitions, wrong)).startsWith("HTTP/1.1 400");
        }
        assertThat(ask("PUT", partitions, "0")).startsWith("HTTP/1.1 406");
        assertThat(ask("PUT", partitions, "-1")).startsWith("HTTP/1.1 406");
        assertThat(ask("PUT", partitions, "2000000")).startsWith("HTTP/1.1 405");
        assertThat(ask("PUT", partitions, "{\"partitions\":2,\"properties\":{\"a\":\"b\"}}"))
                .startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(partitions)))
                .isEqualTo("{\"partitions\":2,\"deleted\":false,\"properties\":{\"a\":\"b\"}}");
        assertThat(get("/admin/v2/persistent/public/default/..")).startsWith("HTTP/1.1 405");
        assertThat(ask("PUT", "/admin/v2/persistent/public/default/..", "")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get("/admin/v2/persistent/public/default"))).contains("persistent://public/default/..");
        assertThat(ask("PUT", "/admin/v2/persistent/public/default/" + "x".repeat(1_100), ""))
                .startsWith("HTTP/1.1 412");
    }

    @Test
    void numbersInPathsAreNumbers() throws IOException {
        String topic = "/admin/v2/persistent/public/default/t";
        assertThat(ask("PUT", topic, "")).startsWith("HTTP/1.1 204");
        assertThat(ask("PUT", topic + "/subscription/s", "")).startsWith("HTTP/1.1 204");
        assertThat(ask("PUT", topic + "/subscription/u", "{\"ledgerId\":\"x\"}"))
                .startsWith("HTTP/1.1 400");
        for (String wrong : List.of("-1", "x", "99999999999999999999", "1.5")) {
            assertThat(ask("POST", topic + "/subscription/s/skip/" + wrong, "")).startsWith("HTTP/1.1 400");
            assertThat(ask("POST", topic + "/subscription/s/resetcursor/" + wrong, ""))
                    .startsWith("HTTP/1.1 400");
            assertThat(ask("POST", topic + "/subscription/s/expireMessages/" + wrong, ""))
                    .startsWith("HTTP/1.1 400");
            assertThat(get(topic + "/subscription/s/position/" + wrong)).startsWith("HTTP/1.1 400");
            assertThat(get(topic + "/ledger/" + wrong + "/entry/0")).startsWith("HTTP/1.1 400");
        }
        assertThat(ask("POST", topic + "/subscription/s/skip/9223372036854775807", ""))
                .startsWith("HTTP/1.1 204");
        assertThat(get(topic + "/subscription/s/position/9223372036854775807")).startsWith("HTTP/1.1 404");
        assertThat(get(topic + "/ledger/9223372036854775807/entry/9223372036854775807"))
                .startsWith("HTTP/1.1 404");
        assertThat(ask("POST", topic + "/subscription/s/expireMessages/9223372036854775807", ""))
                .startsWith("HTTP/1.1 204");
        assertThat(ask("POST", topic + "/subscription/none/skip_all", "")).startsWith("HTTP/1.1 404");
    }

    @Test
    void whatExpiresUpToAMessageIsOfItsPartitionAndOpensNothing() throws IOException {
        String whole = "/admin/v2/persistent/public/default/parts";
        assertThat(ask("PUT", whole + "/partitions", "2")).startsWith("HTTP/1.1 204");
        assertThat(ask("PUT", whole + "/subscription/s", "")).startsWith("HTTP/1.1 204");
        String one = "/admin/v2/persistent/public/default/alone";
        assertThat(ask("PUT", one, "")).startsWith("HTTP/1.1 204");
        assertThat(ask("PUT", one + "/subscription/s", "")).startsWith("HTTP/1.1 204");
        assertThat(expire(whole + "-partition-1", 0)).startsWith("HTTP/1.1 412").contains("partition index");
        assertThat(expire(whole + "-partition-1", -1)).startsWith("HTTP/1.1 412");
        assertThat(expire(whole + "-partition-1", 1)).startsWith("HTTP/1.1 204");
        assertThat(expire(whole, 1)).startsWith("HTTP/1.1 412");
        assertThat(expire(whole, -1)).startsWith("HTTP/1.1 405");
        assertThat(expire(one, 0)).startsWith("HTTP/1.1 412");
        assertThat(ask("PUT", one + "/unload", "")).startsWith("HTTP/1.1 204");
        assertThat(expire(one, -1)).startsWith("HTTP/1.1 204");
        assertThat(ask("POST", one + "/subscription/s/resetcursor", "{\"ledgerId\":0,\"entryId\":0}"))
                .startsWith("HTTP/1.1 204");
        assertThat(broker.namespaces()
                        .open(TopicName.parse("public/default/alone"), false)
                        .thenCompose(Topic::figures)
                        .toCompletableFuture()
                        .join()
                        .subscriptions())
                .as("opened for that")
                .isEmpty();
        assertThat(ask("POST", one + "/subscription/none/expireMessages", "{\"ledgerId\":0,\"entryId\":0}"))
                .startsWith("HTTP/1.1 404");
    }

    private String expire(String topic, int partition) throws IOException {
        String id = "{\"ledgerId\":0,\"entryId\":0,\"partitionIndex\":" + partition + "}";
        return ask("POST", topic + "/subscription/s/expireMessages", id);
    }

    @Test
    void aResetWithoutAMessageIdChangesNothing() throws IOException {
        String one = "/admin/v2/persistent/public/default/t/subscription/s";
        ask("PUT", one, "");
        for (String verb : List.of("/expireMessages", "/resetcursor")) {
            for (String none : List.of("", "null")) {
                assertThat(ask("POST", one + verb, none))
                        .startsWith("HTTP/1.1 400")
                        .contains("the body must be a message id");
            }
        }
    }

    @Test
    void valuesMayBeGivenAsTextsAndEmptyWordsAreNone() throws IOException {
        String one = "/admin/v2/namespaces/public/go";
        String policies = "{\"replication_clusters\":[\"standalone\"],\"subscription_auth_mode\":\"\","
                + "\"schema_compatibility_strategy\":\"\"}";
        assertThat(ask("PUT", one, policies)).startsWith("HTTP/1.1 204");
        assertThat(ask("POST", one + "/encryptionRequired", "\"true\"")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(one + "/encryptionRequired"))).isEqualTo("true");
        assertThat(ask("POST", one + "/maxProducersPerTopic", "\"7\"")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(one + "/maxProducersPerTopic"))).isEqualTo("7");
        assertThat(ask("POST", one + "/maxProducersPerTopic", "\"some\"")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", "/admin/v2/persistent/public/go/p/partitions", "\"3\""))
                .startsWith("HTTP/1.1 204");
    }

    @Test
    void policiesForAllClustersAreASetOfTheirOwnBehindTheTopics() throws IOException {
        String topic = "/admin/v2/persistent/public/default/t";
        ask("PUT", topic, "");
        ask("POST", topic + "/messageTTL?messageTTL=60", "");
        ask("POST", topic + "/messageTTL?messageTTL=5&isGlobal=true", "");
        assertThat(bodyOf(get(topic + "/messageTTL"))).isEqualTo("60");
        assertThat(bodyOf(get(topic + "/messageTTL?isGlobal=true"))).isEqualTo("5");
        ask("DELETE", topic + "/messageTTL", "");
        assertThat(get(topic + "/messageTTL")).startsWith("HTTP/1.1 204");
        assertThat(bodyOf(get(topic + "/messageTTL?applied=true"))).isEqualTo("5");
        ask("DELETE", topic + "/messageTTL?isGlobal=true", "");
        assertThat(get(topic + "/messageTTL?isGlobal=true")).startsWith("HTTP/1.1 204");
    }

    @Test
    void aPlusInANameThatIsNoTopicStays() throws IOException {
        String one = "/admin/v2/namespaces/public/default";
        ask("POST", one + "/permissions/user+ci", "[\"consume\"]");
        assertThat(get(one + "/permissions")).contains("\"user+ci\"");
        ask("PUT", one + "/property/zone/GMT+1", "");
        assertThat(bodyOf(get(one + "/property/zone"))).isEqualTo("GMT+1");
        ask("PUT", "/admin/v2/persistent/public/default/a+b%2Bc", "");
        assertThat(get("/admin/v2/persistent/public/default")).contains("/a b+c\"");
    }
}
