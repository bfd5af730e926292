package io.millrace.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.broker.http.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    void namesThatBeginAlikeAreNotConfused() throws IOException {
        for (String name : List.of("a", "a%2Fb", "a%2Fbc", "permission%20a", "subscription")) {
            done("POST", NAMESPACE + "/permissions/" + name, "[\"produce\"]");
            done("POST", NAMESPACE + "/permissions/subscription/" + name, "[\"a\",\"a/b\",\"a/bc\"]");
        }
        done("DELETE", NAMESPACE + "/permissions/a%2Fb", "");
        done("DELETE", NAMESPACE + "/permissions/subscription/a%2Fb/a%2Fb", "");
        done("DELETE", NAMESPACE + "/permissions/subscription/a/nobody", "");
        assertThat(told(NAMESPACE + "/permissions"))
                .isEqualTo("{\"a\":[\"produce\"],\"a/bc\":[\"produce\"],\"permission a\":[\"produce\"],"
                        + "\"subscription\":[\"produce\"]}");
        String all = "[\"a\",\"a/b\",\"a/bc\"]";
        assertThat(told(NAMESPACE + "/permissions/subscription"))
                .isEqualTo("{\"a\":" + all + ",\"a/b\":[\"a\",\"a/bc\"],\"a/bc\":" + all + ",\"permission a\":" + all
                        + ",\"subscription\":" + all + "}");
    }

    /** Each was told that it is done: none may bring back what another has revoked. */
    @Test
    void rolesThatAreRevokedAtOnceAreAllGone() throws Exception {
        int roles = 8;
        for (int round = 0; round < 5; round++) {
            String all =
                    IntStream.range(0, roles).mapToObj(i -> "\"r" + i + '"').collect(Collectors.joining(","));
            done("POST", NAMESPACE + "/permissions/subscription/s", "[" + all + "]");
            List<CompletableFuture<Void>> revoked = IntStream.range(0, roles)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> revoke("s", "r" + i)))
                    .toList();
            revoked.forEach(CompletableFuture::join);
            assertThat(told(NAMESPACE + "/permissions/subscription")).isEqualTo("{}");
        }
    }

    private void revoke(String subscription, String role) {
        try {
            done("DELETE", NAMESPACE + "/permissions/subscription/" + subscription + "/" + role, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
