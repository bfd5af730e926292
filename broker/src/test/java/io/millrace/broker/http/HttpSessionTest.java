package io.millrace.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One connection whose requests come in one piece. */
class HttpSessionTest {
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

    private void receive(int requests) {
        String bytes = "GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requests);
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
        channel.runPendingTasks();
    }

    private int answers() {
        channel.runPendingTasks();
        int answers = 0;
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            answers += bytes.toString(StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200") ? 1 : 0;
            bytes.release();
        }
        return answers;
    }
}
