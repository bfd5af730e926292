package io.millrace.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the policies that Pulsar's brokers take in a way of their own are asked with. */
@Timeout(60)
final class PolicyRequestsTest {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String uri = exchange.getRequestURI().toString().replace("/admin/v2/", "");
            requests.add(exchange.getRequestMethod() + ' ' + uri + ' ' + body);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void theTtlOfATopicStandsInTheQueryAlone() {
        set("acme/dev/orders", "message-ttl-seconds", "60");
        assertThat(requests).containsExactly("POST persistent/acme/dev/orders/messageTTL?messageTTL=60 ");
    }

    @Test
    void theTtlOfANamespaceStandsInTheBody() {
        set("acme/dev", "message-ttl-seconds", "60");
        assertThat(requests).containsExactly("POST namespaces/acme/dev/messageTTL 60");
    }

    @Test
    void theCompatibilityOfSchemasIsPut() {
        set("acme/dev", "schema-compatibility", "FULL");
        set("acme/dev/orders", "schema-compatibility", "FULL");
        assertThat(requests)
                .containsExactly(
                        "PUT namespaces/acme/dev/schemaCompatibilityStrategy \"FULL\"",
                        "PUT persistent/acme/dev/orders/schemaCompatibilityStrategy \"FULL\"");
    }

    private void set(String target, String key, String value) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        assertThat(CommandRun.of(new PoliciesCommand(), "set", target, key, value, "--admin-url", url)
                        .exitCode())
                .isZero();
    }
}
