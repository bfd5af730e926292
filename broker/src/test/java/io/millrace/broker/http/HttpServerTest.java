package io.millrace.broker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.memory.ToldErrors;
import io.millrace.broker.setting.SettingValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port itself: its limits and who may ask, over raw sockets. */
@Timeout(60)
class HttpServerTest {
    /** Long enough for a client that sends its request at once, also where its thread or the server's waits for a processor. */
    private static final Duration SHORT = Duration.ofSeconds(6);

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int BODY_BYTES = 2_048;

    private final AtomicInteger routesMade = new AtomicInteger();
    private final CompletableFuture<Response> late = new CompletableFuture<>();
    private final AtomicInteger piecesGiven = new AtomicInteger();
    private Pieces pieces = new Words(List.of("one ", "two ", "three"));
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        start(new HttpLimits(120, BODY_BYTES, LONG));
    }

    private void start(HttpLimits limits) throws IOException {
        HttpSettings settings = HttpSettings.of(SettingValues.none())
                .withPort(0)
                .withHosts(Set.of("set.example.org"))
                .withLimits(limits);
        server = HttpServer.start(settings, "127.0.0.1", Set.of("pulsar://told.example.org:6650"), this::routes);
    }

    private void restart(HttpLimits limits) throws IOException {
        server.close();
        start(limits);
    }

    private Routes routes() {
        routesMade.incrementAndGet();
        return new Routes(failure -> Response.refusal(500, "failed: " + failure.getMessage()))
                .get("/a/{name}", request -> done(request.part("name") + " " + request.query("q", "none")))
                .get("/a/fixed", request -> done("the fixed one"))
                .get("/form/{name}", request -> done(request.formPart("name")))
                .get("/a/fixed/{name}", request -> done("below " + request.part("name")))
                .post("/a/{name}", request -> done(request.content().text()))
                .get("/late", request -> late)
                .get("/large", request -> done("x".repeat(32 << 20)))
                .get("/pieces", request -> CompletableFuture.completedFuture(Response.json(pieces)))
                .get("/full", request -> CompletableFuture.failedFuture(new OutOfMemoryError("Java heap space")))
                .get("/fails", request -> CompletableFuture.failedFuture(new IllegalStateException("a \"word\"\n")))
                .get("/throws", request -> {
                    throw new HttpRefusal(418, "thrown");
                });
    }

    private static CompletableFuture<Response> done(String text) {
        return CompletableFuture.completedFuture(Response.text(text));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String get(String path) throws IOException {
        return RawHttp.ask(server.port(), "GET " + path + " HTTP/1.1", "");
    }

    @Test
    void routesAreMadeWithTheFirstRequestAndUsedForAll() throws IOException {
        assertThat(routesMade).hasValue(0);
        assertThat(get("/a/b?q=c%20d")).startsWith("HTTP/1.1 200 OK").endsWith("\r\n\r\nb c d");
        assertThat(get("/nowhere")).startsWith("HTTP/1.1 404");
        assertThat(routesMade).hasValue(1);
    }

    /** Whatever became of the request, the process is to end. */
    @Test
    void aHeapThatIsFullIsToldToTheProcess() throws Exception {
        try (ToldErrors told = new ToldErrors()) {
            assertThat(get("/full")).startsWith("HTTP/1.1 500");
            assertThat(told.told().element()).hasMessage("Java heap space");
        }
    }

    @Test
    void aPartThatIsNamedComesBeforeAnOpenOne() throws IOException {
        assertThat(get("/a/fixed")).endsWith("the fixed one");
        assertThat(get("/a/fixed/")).endsWith("the fixed one");
        assertThat(get("/a/other")).endsWith("other none");
        assertThat(RawHttp.ask(server.port(), "POST /a/fixed HTTP/1.1", "open after all"))
                .endsWith("open after all");
    }

    @Test
    void partsArePercentDecodedOnceAndAfterThePathIsSplit() throws IOException {
        assertThat(get("/a/%C3%A4%2Fb")).endsWith("ä/b none");
        assertThat(get("/a/x+y%2Bz")).endsWith("x+y+z none");
        assertThat(get("/form/x+y%2Bz")).endsWith("x y+z");
        assertThat(get("/a/%2525")).endsWith("%25 none");
        assertThat(get("/a/..")).endsWith(".. none");
        assertThat(get("/a/../a/b")).startsWith("HTTP/1.1 404");
        assertThat(get("/a/%ZZ")).startsWith("HTTP/1.1 400");
        assertThat(get("/a/%FF")).startsWith("HTTP/1.1 400");
        assertThat(get("/a/b?q=%ZZ")).startsWith("HTTP/1.1 400");
    }

    @Test
    void bytesThatShouldBePercentEncodedAreReadAsUtf8() throws IOException {
        assertThat(get("/a/café?q=größer")).endsWith("\r\n\r\ncafé größer");
        try (RawHttp http = new RawHttp(server.port())) {
            http.send("GET /a/x".getBytes(StandardCharsets.US_ASCII), new byte[] {(byte) 0xE9});
            http.send(" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(http.answer()).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void aWholeUrlIsReadAsItsPathAndItsHostAsThatOfTheRequest() throws IOException {
        assertThat(get("http://127.0.0.1:8080/a/b?q=c://d")).endsWith("\r\n\r\nb c://d");
        assertThat(get("HTTP://localhost/a/fixed")).endsWith("the fixed one");
        assertThat(get("http://localhost?q=1")).startsWith("HTTP/1.1 404").contains("nothing at /");
        assertThat(get("http://evil.example.com/a/fixed")).startsWith("HTTP/1.1 403");
        assertThat(get("http:///a/fixed")).startsWith("HTTP/1.1 400");
        assertThat(get("ftp://localhost/a/fixed")).startsWith("HTTP/1.1 404");
    }

    @Test
    void whatIsNotThereIsSaidAsPulsarSaysIt() throws IOException {
        assertThat(get("/nowhere")).startsWith("HTTP/1.1 404").contains("{\"reason\":\"HTTP 404 Not Found");
        assertThat(RawHttp.ask(server.port(), "DELETE /a/b HTTP/1.1", ""))
                .startsWith("HTTP/1.1 405")
                .contains("GET, POST");
        assertThat(get("/fails")).startsWith("HTTP/1.1 500").endsWith("{\"reason\":\"failed: a \\\"word\\\"\\u000a\"}");
        assertThat(get("/throws")).startsWith("HTTP/1.1 418").endsWith("{\"reason\":\"thrown\"}");
    }

    @Test
    void headIsAnsweredWithoutABody() throws IOException {
        assertThat(RawHttp.ask(server.port(), "HEAD /a/fixed HTTP/1.1", ""))
                .startsWith("HTTP/1.1 200")
                .contains("content-length: 13")
                .endsWith("\r\n\r\n");
    }

    /** Gives these one after the other. */
    private final class Words implements Pieces {
        private final Iterator<String> words;

        Words(List<String> words) {
            this.words = words.iterator();
        }

        @Override
        public CompletionStage<@Nullable Piece> next() {
            piecesGiven.incrementAndGet();
            return CompletableFuture.completedFuture(words.hasNext() ? piece(words.next()) : null);
        }
    }

    private static Pieces.Piece piece(String text) {
        return () -> text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aLongBodyIsSentInPiecesAndTheConnectionGoesOn() throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.get("/pieces");
            assertThat(http.answer()).startsWith("HTTP/1.1 200 OK").contains("transfer-encoding: chunked");
            assertThat(http.next("4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n".length()))
                    .isEqualTo("4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n");
            http.get("/a/fixed");
            assertThat(http.answer()).endsWith("the fixed one");
        }
    }

    @Test
    void whoKnowsNoPiecesGetsThemWithoutMarksAndTheEndByClosing() throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.send("GET /pieces HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n");
            assertThat(http.all())
                    .doesNotContain("transfer-encoding")
                    .contains("connection: close")
                    .endsWith("\r\n\r\none two three");
        }
        assertThat(RawHttp.ask(server.port(), "HEAD /pieces HTTP/1.1", ""))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    @Test
    void aPieceThatFailsEndsTheConnectionWithinTheBody() throws IOException {
        Iterator<CompletionStage<Pieces.@Nullable Piece>> each = List.<CompletionStage<Pieces.@Nullable Piece>>of(
                        CompletableFuture.completedFuture(piece("ok")),
                        CompletableFuture.failedFuture(new IllegalStateException("no more")))
                .iterator();
        pieces = each::next;
        assertThat(RawHttp.ask(server.port(), "GET /pieces HTTP/1.1", ""))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n2\r\nok\r\n");
        pieces = () -> {
            throw new IllegalStateException("thrown");
        };
        assertThat(RawHttp.ask(server.port(), "GET /pieces HTTP/1.1", "")).endsWith("\r\n\r\n");
        pieces = () -> CompletableFuture.completedFuture(() -> {
            throw new IllegalStateException("thrown while it is made");
        });
        assertThat(RawHttp.ask(server.port(), "GET /pieces HTTP/1.1", "")).endsWith("\r\n\r\n");
    }

    @Test
    void whoTakesNoPieceIsGivenNoMoreAndCut() throws IOException {
        restart(new HttpLimits(120, BODY_BYTES, SHORT));
        int all = 2_000;
        pieces = new Words(Collections.nCopies(all, "x".repeat(1 << 20)));
        try (RawHttp http = new RawHttp(server.port())) {
            http.get("/pieces");
            assertThat(http.status()).isEqualTo("HTTP/1.1 200");
            while (server.connections() > 0) {
                Thread.onSpinWait();
            }
        }
        assertThat(piecesGiven.get()).isBetween(1, all / 10);
    }

    @Test
    void requestsThatComeTogetherAreAnsweredOneAfterTheOther() throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.get("/late");
            http.get("/a/1");
            http.get("/a/2");
            late.complete(Response.text("first"));
            assertThat(http.answer()).endsWith("first");
            assertThat(http.answer()).endsWith("1 none");
            assertThat(http.answer()).endsWith("2 none");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:1",
                "localhost",
                "LOCALHOST:80",
                "a.localhost",
                "[::1]:8080",
                "192.168.0.7",
                "pulsar:8080",
                "told.example.org:8080",
                "set.example.org"
            })
    void aHostThatIsMeantForThisBrokerIsServed(String host) throws IOException {
        assertThat(withHeaders("Host: " + host)).startsWith("HTTP/1.1 200");
        assertThat(withHeaders("Host: " + host, "Origin: http://" + host)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example.com",
                "localhost.evil.com:80",
                "127.0.0.1.evil.com",
                "1.2.3.4.5",
                "evil.com.:8080",
                "set.example.org.evil.com"
            })
    void aForeignHostIsRefused(String host) throws IOException {
        assertThat(withHeaders("Host: " + host)).startsWith("HTTP/1.1 403").contains("http-hosts");
        assertThat(routesMade.get()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://evil.com",
                "Origin: null",
                "Origin: https://127.0.0.1",
                "Origin: http://127.0.0.1:9",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site"
            })
    void aPageOfAnotherHostIsRefused(String header) throws IOException {
        assertThat(withHeaders("Host: 127.0.0.1", header)).startsWith("HTTP/1.1 403");
    }

    @Test
    void aHostIsNamedOnce() throws IOException {
        assertThat(withHeaders("X: y")).startsWith("HTTP/1.1 400");
        assertThat(withHeaders("Host: 127.0.0.1", "Host: evil.com")).startsWith("HTTP/1.1 400");
    }

    private String withHeaders(String... headers) throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.send("GET /a/b HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
            return http.all();
        }
    }

    @Test
    void whatIsTooLongIsRefusedAndTheConnectionClosed() throws IOException {
        assertThat(get("/a/" + "x".repeat(20_000))).startsWith("HTTP/1.1 414");
        assertThat(withHeaders("Host: 127.0.0.1", "X: " + "x".repeat(20_000))).startsWith("HTTP/1.1 431");
        assertThat(RawHttp.ask(server.port(), "POST /a/b HTTP/1.1", "x".repeat(BODY_BYTES + 1)))
                .startsWith("HTTP/1.1 413")
                .contains("max-http-body-bytes");
        assertThat(RawHttp.ask(server.port(), "POST /a/b HTTP/1.1", "x".repeat(BODY_BYTES)))
                .startsWith("HTTP/1.1 200");
        assertThat(get("/a/b?" + "q=1&".repeat(3_000))).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0\0\0\u0015 what is this\r\n\r\n",
                "GET\r\n\r\n",
                "GET /a/b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
                "GET /a/b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST /a/b HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void whatIsNoHttpIsRefusedOrCut(String text) throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.send(text);
            String answer = http.all();
            assertThat(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"))
                    .as(answer)
                    .isTrue();
        }
        assertThat(get("/a/b")).startsWith("HTTP/1.1 200");
    }

    /** A connection that sends this at once. */
    private RawHttp sending(String text) throws IOException {
        RawHttp http = new RawHttp(server.port());
        http.send(text);
        return http;
    }

    @Test
    void whoSendsSlowlyIsCut() throws IOException {
        restart(new HttpLimits(10, BODY_BYTES, SHORT));
        try (RawHttp nothing = new RawHttp(server.port());
                RawHttp head = sending("GET /a/b HTTP/1.1\r\nHost: ");
                RawHttp body = sending("POST /a/b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nabc");
                RawHttp idle = sending("GET /a/b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")) {
            assertThat(idle.answer()).startsWith("HTTP/1.1 200");
            for (RawHttp slow : List.of(nothing, head, body, idle)) {
                assertThat(slow.all()).isEmpty();
            }
        }
    }

    @Test
    void whoTakesNothingOfAnAnswerIsCut() throws Exception {
        restart(new HttpLimits(10, BODY_BYTES, SHORT));
        try (RawHttp http = new RawHttp(server.port())) {
            http.get("/large");
            http.status();
            while (server.connections() == 1) {
                Thread.onSpinWait();
            }
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void aHundredConnectionsAreServedAndOnesBeyondTheLimitAreTold() throws IOException {
        List<RawHttp> open = new ArrayList<>();
        try {
            for (int i = 0; i < 120; i++) {
                open.add(new RawHttp(server.port()));
                open.get(i).get("/a/" + i);
                assertThat(open.get(i).answer()).endsWith(i + " none");
            }
            try (RawHttp more = new RawHttp(server.port())) {
                assertThat(more.all()).startsWith("HTTP/1.1 503").contains("max-http-connections=");
            }
            open.remove(0).close();
            while (server.connections() >= 120) {
                Thread.onSpinWait();
            }
            assertThat(get("/a/again")).startsWith("HTTP/1.1 200");
        } finally {
            for (RawHttp http : open) {
                http.close();
            }
        }
    }

    @Test
    void aTakenPortIsRefusedAndSaysWhatToDo() {
        HttpSettings settings = HttpSettings.of(SettingValues.none()).withPort(server.port());
        assertThatThrownBy(() -> HttpServer.start(settings, "127.0.0.1", Set.of(), this::routes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("http-port")
                .hasMessageContaining(Integer.toString(server.port()));
    }

    @Test
    void portsAreReadAsAFileHasThem() {
        assertThat(HttpSettings.of(SettingValues.none()).isOn()).isFalse();
        assertThat(HttpSettings.of(SettingValues.of(Map.of("http-port", "off"))).port())
                .isEqualTo(HttpSettings.OFF);
        assertThat(HttpSettings.of(SettingValues.of(Map.of("http-port", "0"))).isOn())
                .isTrue();
        assertThat(HttpSettings.of(SettingValues.of(Map.of("http-port", "8_080")))
                        .port())
                .isEqualTo(8080);
        for (String wrong : List.of("-1", "65536", "many", "100000", "_")) {
            assertThatThrownBy(() -> HttpSettings.of(SettingValues.of(Map.of("http-port", wrong))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong);
        }
    }

    @Test
    void whoSpeaksHttp10NeedNotNameAHost() throws IOException {
        try (RawHttp http = new RawHttp(server.port())) {
            http.send("GET /a/fixed HTTP/1.0\r\n\r\n");
            assertThat(http.all()).startsWith("HTTP/1.1 200").endsWith("the fixed one");
        }
        try (RawHttp http = new RawHttp(server.port())) {
            for (int i = 0; i < 2; i++) {
                http.send("GET /a/fixed HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
                assertThat(http.answer()).contains("connection: keep-alive").endsWith("the fixed one");
            }
        }
        assertThat(get("/a/fixed")).doesNotContain("keep-alive");
        for (String version : List.of("HTTP/1.0\r\nHost: a.example", "HTTP/1.1")) {
            try (RawHttp http = new RawHttp(server.port())) {
                http.send("GET /a/fixed " + version + "\r\n\r\n");
                assertThat(http.answer()).matches("(?s)HTTP/1.1 40[03].*");
            }
        }
    }
}
