package io.millrace.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One connection whose requests come in one piece. */
class HttpSessionTest {
    private static final String REQUEST = "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final CompletableFuture<Response> late = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void install() {
        Routes routes = new Routes(failure -> Response.refusal(500, "failed")).get("/late", request -> {
            asked.incrementAndGet();
            return late;
        });
        HttpSession.install(
                channel,
                new HttpSession.Shared(
                        new HttpLimits(1, 1 << 10, Duration.ofMinutes(1)), new KnownHosts(Set.of()), () -> routes),
                false);
        channel.pipeline().fireChannelActive();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void requestsThatComeAtOnceAreAnsweredInTurn() {
        receive(101);
        assertThat(asked).hasValue(1);
        late.complete(Response.text("done"));
        assertThat(answers()).isEqualTo(101);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void moreRequestsAtOnceThanMayWaitAreDroppedAndTheConnectionIsClosedBehindThoseThatDo() {
        receive(5_000);
        late.complete(Response.text("done"));
        assertThat(answers()).isEqualTo(101);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedAfterTheAnswerToTheRequestBeforeIt() {
        String post = "POST /late HTTP/1.1\r\nHost: localhost\r\n";
        for (String large : List.of(
                "Content-Length: 2000\r\n\r\n" + "x".repeat(2_000),
                "Expect: 100-continue\r\nContent-Length: 2000\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + "x".repeat(2_000) + "\r\n0\r\n\r\n")) {
            HttpSessionTest one = new HttpSessionTest();
            one.install();
            one.receive(REQUEST + post + large + REQUEST);
            assertThat(one.statuses()).isEmpty();
            one.late.complete(Response.text("done"));
            assertThat(one.statuses()).as(large).containsExactly("200", "413");
            assertThat(one.channel.isOpen()).isFalse();
            one.close();
        }
    }

    private void receive(int requests) {
        receive(REQUEST.repeat(requests));
    }

    private void receive(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
        channel.runPendingTasks();
    }

    private int answers() {
        return Collections.frequency(statuses(), "200");
    }

    /** Of the answers that are there now. */
    private List<String> statuses() {
        channel.runPendingTasks();
        List<String> statuses = new ArrayList<>();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            String text = bytes.toString(StandardCharsets.US_ASCII);
            if (text.startsWith("HTTP/1.1 ")) {
                statuses.add(text.substring(9, 12));
            }
            bytes.release();
        }
        return statuses;
    }
}
