package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.http.RawHttp;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Permissions are kept and told again, though nobody is refused for want of them; compaction is answered and never runs. */
@Timeout(60)
class PermissionsTest {
    private static final String NAMESPACE = "/admin/v2/namespaces/public/default";
    private static final String TOPIC = "/admin/v2/persistent/public/default/a";

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

    private void done(String method, String path, String body) throws IOException {
        assertThat(ask(method, path, body)).as(method + " " + path).startsWith("HTTP/1.1 204");
    }

    private String told(String path) throws IOException {
        String answer = ask("GET", path, "");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void thoseOfNamespacesAndSubscriptionsAreKeptOverRestartsUntilTheyAreRevoked() throws IOException {
        assertThat(told(NAMESPACE + "/permissions")).isEqualTo("{}");
        done("POST", NAMESPACE + "/permissions/r", "[\"produce\",\"consume\"]");
        done("POST", NAMESPACE + "/permissions/subscription/s", "[\"r,1\",\"r2\"]");
        broker.close();
        start();
        assertThat(told(NAMESPACE + "/permissions")).isEqualTo("{\"r\":[\"consume\",\"produce\"]}");
        assertThat(told(NAMESPACE + "/permissions/subscription")).isEqualTo("{\"s\":[\"r,1\",\"r2\"]}");
        assertThat(told(NAMESPACE)).contains("\"namespace_auth\":{\"r\":[\"consume\",\"produce\"]}");
        done("DELETE", NAMESPACE + "/permissions/s/r2", "");
        assertThat(told(NAMESPACE + "/permissions/subscription")).isEqualTo("{\"s\":[\"r,1\"]}");
        done("DELETE", NAMESPACE + "/permissions/r", "");
        assertThat(told(NAMESPACE + "/permissions")).isEqualTo("{}");
    }

    @Test
    void thoseOfATopicAreAddedToThoseOfItsNamespaceAndGoWithIt() throws IOException {
        done("PUT", TOPIC, "");
        done("POST", NAMESPACE + "/permissions/r", "[\"produce\"]");
        done("POST", TOPIC + "/permissions/r", "[\"consume\"]");
        assertThat(told(TOPIC + "/permissions")).isEqualTo("{\"r\":[\"consume\",\"produce\"]}");
        assertThat(ask("DELETE", TOPIC + "/permissions/other", "")).startsWith("HTTP/1.1 412");
        done("DELETE", TOPIC, "");
        assertThat(ask("GET", TOPIC + "/permissions", "")).startsWith("HTTP/1.1 404");
        done("PUT", TOPIC, "");
        assertThat(told(TOPIC + "/permissions")).isEqualTo("{\"r\":[\"produce\"]}");
    }

    @Test
    void whatIsNoActionIsRefused() throws IOException {
        assertThat(ask("POST", NAMESPACE + "/permissions/r", "[\"fly\"]")).startsWith("HTTP/1.1 400");
        assertThat(ask("POST", NAMESPACE + "/permissions/r", "{}")).startsWith("HTTP/1.1 400");
        assertThat(told(NAMESPACE + "/permissions")).isEqualTo("{}");
        assertThat(ask("POST", "/admin/v2/namespaces/no/such/permissions/r", "[]"))
                .startsWith("HTTP/1.1 404");
    }

    @Test
    void compactionIsAnsweredAndNeverRuns() throws IOException {
        assertThat(ask("GET", TOPIC + "/compaction", "")).startsWith("HTTP/1.1 404");
        done("PUT", TOPIC, "");
        done("PUT", TOPIC + "/compaction", "");
        assertThat(told(TOPIC + "/compaction")).contains("\"status\":\"NOT_RUN\"");
    }
}
