package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.dispatch.SubscriptionLimits;
import io.millrace.broker.http.RawHttp;
import io.millrace.broker.namespace.NamespaceSettings;
import io.millrace.broker.protocol.SessionLimits;
import io.millrace.broker.schema.Compatibility;
import io.millrace.broker.schema.SchemaPolicy;
import io.millrace.broker.schema.SchemaSettings;
import io.millrace.broker.topic.TopicLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Policies over HTTP that depend on each other or on the broker's settings; the settings are other than the usual ones. */
@Timeout(60)
class PolicyPathsTest {
    private static final String SPACE = "/admin/v2/namespaces/public/default";
    private static final String TOPIC = "/admin/v2/persistent/public/default/t";
    private static final String QUOTA_EXCEEDS = "{\"reason\":\"Backlog Quota exceeds configured retention quota for ";
    private static final String RETENTION_FALLS_SHORT =
            "{\"reason\":\"Retention Quota must exceed configured backlog quota for ";
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        SchemaSettings schemas = NamespaceSettings.DEFAULTS.schemas();
        SchemaSettings strict = new SchemaSettings(
                new SchemaPolicy(Compatibility.BACKWARD, true, false),
                schemas.maxBytes(),
                schemas.maxVersions(),
                schemas.maxPropertyChars());
        broker = Broker.start(BrokerConfig.defaults(folder)
                .withPort(0)
                .withHttpPort(0)
                .withNamespaces(NamespaceSettings.DEFAULTS.withSchemas(strict))
                .withTopics(
                        TopicLimits.DEFAULTS.withSubscription(SubscriptionLimits.DEFAULTS.withMaxUnacked(70, 300))));
        done("PUT", TOPIC, "");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String ask(String method, String path, String body) throws IOException {
        String type = body.isEmpty() ? "" : "\r\nContent-Type: application/json";
        return RawHttp.ask(broker.httpPort(), method + " " + path + " HTTP/1.1" + type, body);
    }

    private void done(String method, String path, String body) throws IOException {
        assertThat(ask(method, path, body)).startsWith("HTTP/1.1 204");
    }

    private String told(String path) throws IOException {
        String answer = ask("GET", path, "");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String retention(int minutes, int mebibytes) {
        return "{\"retentionTimeInMinutes\":" + minutes + ",\"retentionSizeInMB\":" + mebibytes + "}";
    }

    private static String quota(long bytes, int seconds) {
        return "{\"limitSize\":" + bytes + ",\"limitTime\":" + seconds + ",\"policy\":\"producer_exception\"}";
    }

    private void quotaIsRefused(String of, String type, String quota) throws IOException {
        assertThat(ask("POST", of + "/backlogQuota?backlogQuotaType=" + type, quota))
                .startsWith("HTTP/1.1 412")
                .endsWith(QUOTA_EXCEEDS + (of.equals(SPACE) ? "namespace" : "topic")
                        + ". Please increase retention quota and retry\"}");
    }

    private void retentionIsRefused(String of, String retention) throws IOException {
        String scope = of.equals(SPACE) ? "namespace." : "topic. Please increase retention quota and retry";
        assertThat(ask("POST", of + "/retention", retention))
                .startsWith("HTTP/1.1 412")
                .endsWith(RETENTION_FALLS_SHORT + scope + "\"}");
    }

    @Test
    void aNamespacesQuotaStaysWithinItsRetention() throws IOException {
        done("POST", SPACE + "/retention", retention(2, 1));
        quotaIsRefused(SPACE, "destination_storage", quota(MIB, -1));
        quotaIsRefused(SPACE, "destination_storage", quota(10, 120));
        assertThat(told(SPACE + "/backlogQuotaMap")).isEqualTo("{}");
        done("POST", SPACE + "/backlogQuota", quota(MIB - 1, 119));
        done("POST", SPACE + "/backlogQuota?backlogQuotaType=message_age", quota(-1, 5_000));
    }

    @Test
    void aMessageOfATopicIsNoLargerThanTheBrokerTakes() throws IOException {
        String path = TOPIC + "/maxMessageSize";
        int most = SessionLimits.DEFAULTS.maxMessageBytes();
        done("POST", path, Integer.toString(most));
        for (String wrong : new String[] {Integer.toString(most + 1), "-1", "9999999999"}) {
            assertThat(ask("POST", path, wrong))
                    .startsWith("HTTP/1.1 412")
                    .contains("topic-level maxMessageSize must be greater than or equal to 0 and must be smaller than"
                            + " that in the broker-level");
        }
        assertThat(told(path)).isEqualTo(Integer.toString(most));
        done("POST", path, "0");
        assertThat(told(path)).isEqualTo("0");
        assertThat(ask("POST", path, "")).startsWith("HTTP/1.1 400");
        done("DELETE", path, "");
    }

    @Test
    void aNamespaceHasABoundedNumberOfProperties() throws IOException {
        String some =
                IntStream.range(0, 1_000).mapToObj(i -> "\"" + i + "\":\"\"").collect(Collectors.joining(","));
        done("PUT", SPACE + "/properties", "{" + some + "}");
        assertThat(ask("PUT", SPACE + "/properties", "{\"x\":\"\"}")).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", SPACE + "/property/x/y", "")).startsWith("HTTP/1.1 400");
        done("PUT", SPACE + "/property/0/y", "");
        assertThat(ask("DELETE", SPACE + "/property/1", "")).startsWith("HTTP/1.1 200");
        done("PUT", SPACE + "/properties", "{\"x\":\"\"}");
        String long70k = "{\"x\":\"" + "y".repeat(70_000) + "\"}";
        assertThat(ask("PUT", SPACE + "/properties", long70k)).startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", SPACE.replace("default", "other"), "{\"properties\":" + long70k + "}"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void aNamespacesRetentionIsBeyondItsQuota() throws IOException {
        done("POST", SPACE + "/backlogQuota", quota(MIB, 60));
        done("POST", SPACE + "/backlogQuota?backlogQuotaType=message_age", quota(-1, 5_000));
        retentionIsRefused(SPACE, retention(2, 1));
        retentionIsRefused(SPACE, retention(1, 2));
        assertThat(ask("GET", SPACE + "/retention", "")).startsWith("HTTP/1.1 204");
        done("POST", SPACE + "/retention", retention(2, 2));
        done("POST", SPACE + "/retention", retention(-1, -1));
        done("POST", SPACE + "/retention", retention(0, 0));
    }

    @Test
    void withoutALimitOnWhatIsRetainedAnyQuotaIsWithin() throws IOException {
        done("POST", SPACE + "/retention", retention(-1, 1));
        quotaIsRefused(SPACE, "destination_storage", quota(MIB, -1));
        done("POST", SPACE + "/backlogQuota", quota(10, 1_000_000));
        done("POST", SPACE + "/retention", retention(0, 0));
        done("POST", SPACE + "/backlogQuota", quota(Long.MAX_VALUE, 1_000_000));
    }

    @Test
    void aTopicsQuotasOfBothTypesStayWithinTheRetentionThatAppliesToIt() throws IOException {
        done("POST", SPACE + "/retention", retention(2, 1));
        quotaIsRefused(TOPIC, "destination_storage", quota(MIB, -1));
        quotaIsRefused(TOPIC, "message_age", quota(-1, 120));
        quotaIsRefused(TOPIC, "message_age&isGlobal=true", quota(-1, 120));
        done("POST", TOPIC + "/retention", retention(3, 1));
        done("POST", TOPIC + "/backlogQuota?backlogQuotaType=message_age", quota(-1, 120));
        quotaIsRefused(TOPIC, "message_age&isGlobal=true", quota(-1, 120));
    }

    @Test
    void aTopicsRetentionIsBeyondTheQuotasThatApplyToIt() throws IOException {
        done("POST", SPACE + "/backlogQuota", quota(MIB, -1));
        done("POST", SPACE + "/backlogQuota?backlogQuotaType=message_age", quota(-1, 60));
        retentionIsRefused(TOPIC, retention(2, 1));
        retentionIsRefused(TOPIC, retention(1, 2));
        done("POST", TOPIC + "/backlogQuota", quota(10, -1));
        done("POST", TOPIC + "/retention", retention(2, 1));
        done("POST", TOPIC + "/retention?isGlobal=true", retention(2, 2));
        assertThat(ask("POST", TOPIC + "/retention?isGlobal=true", retention(2, 1)))
                .startsWith("HTTP/1.1 412");
    }

    @Test
    void aThresholdOfCompactionMayBeLargerThanTwoGibibytes() throws IOException {
        done("PUT", SPACE + "/compactionThreshold", "5000000000");
        assertThat(told(SPACE + "/compactionThreshold")).isEqualTo("5000000000");
        done("POST", TOPIC + "/compactionThreshold", "6000000000");
        assertThat(told(TOPIC + "/compactionThreshold")).isEqualTo("6000000000");
        assertThat(ask("PUT", SPACE + "/compactionThreshold", "-1"))
                .startsWith("HTTP/1.1 412")
                .endsWith("{\"reason\":\"compactionThreshold must be 0 or more\"}");
        assertThat(ask("PUT", SPACE + "/compactionThreshold", "9223372036854775808"))
                .startsWith("HTTP/1.1 400");
        assertThat(ask("PUT", SPACE + "/compactionThreshold", "")).startsWith("HTTP/1.1 400");
    }

    @Test
    void whatAppliesWithoutAPolicyIsWhatTheBrokersSettingsSay() throws IOException {
        assertThat(told(TOPIC + "/schemaCompatibilityStrategy?applied=true")).isEqualTo("\"BACKWARD\"");
        assertThat(told(TOPIC + "/schemaValidationEnforced?applied=true")).isEqualTo("true");
        assertThat(told(TOPIC + "/schemaValidationEnforced")).isEqualTo("false");
        assertThat(told(TOPIC + "/maxUnackedMessagesOnConsumer?applied=true")).isEqualTo("70");
        assertThat(told(TOPIC + "/maxUnackedMessagesOnSubscription?applied=true"))
                .isEqualTo("300");
        assertThat(told(SPACE + "/schemaValidationEnforced?applied=true")).isEqualTo("true");
        assertThat(told(SPACE + "/schemaValidationEnforced")).isEqualTo("false");
        assertThat(told(SPACE + "/isAllowAutoUpdateSchema")).isEqualTo("false");
        assertThat(told(SPACE)).contains("\"is_allow_auto_update_schema\":false");
    }

    @Test
    void aCompatibilityThatIsUndefinedIsNone() throws IOException {
        done("PUT", SPACE + "/schemaCompatibilityStrategy", "\"UNDEFINED\"");
        assertThat(told(SPACE + "/schemaCompatibilityStrategy")).isEqualTo("\"UNDEFINED\"");
        assertThat(told(TOPIC + "/schemaCompatibilityStrategy?applied=true")).isEqualTo("\"BACKWARD\"");
        done("PUT", SPACE + "/schemaCompatibilityStrategy", "\"FORWARD\"");
        done("PUT", TOPIC + "/schemaCompatibilityStrategy", "\"UNDEFINED\"");
        assertThat(ask("GET", TOPIC + "/schemaCompatibilityStrategy", "")).startsWith("HTTP/1.1 204");
        assertThat(told(TOPIC + "/schemaCompatibilityStrategy?applied=true")).isEqualTo("\"FORWARD\"");
    }
}
