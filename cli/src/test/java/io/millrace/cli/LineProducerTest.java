package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineProducerTest {
    private int begun;
    private final AtomicInteger handedOver = new AtomicInteger();
    private CompletableFuture<MessageId> receipt = CompletableFuture.completedFuture(MessageId.latest);

    @Test
    void nothingIsSentOnceTheStopHasSaidHowMuchIsStored() throws Exception {
        LineProducer[] lines = new LineProducer[1];
        Runnable onMessage = () -> {
            begun++;
            if (begun == 2) {
                stopOnAnotherThread(lines[0]);
            }
        };
        lines[0] = new LineProducer(client(onMessage), null);
        byte[] input = "one\ntwo\nthree\n".getBytes(StandardCharsets.UTF_8);
        lines[0].send(new LineReader(new ByteArrayInputStream(input), 100));
        assertThat(begun).as("the stop came while a line was on its way").isEqualTo(2);
        assertThat(handedOver).as("lines sent, of which the stop told one").hasValue(1);
    }

    /** The signal comes while lines are on their way, and one of them is refused: that is what the process ends with. */
    @Test
    void whatIsNotStoredIsToldByTheStop() throws Exception {
        CompletableFuture<MessageId> pending = new CompletableFuture<>();
        receipt = pending;
        LineProducer lines = new LineProducer(client(() -> {}), null);
        byte[] input = "one\n".getBytes(StandardCharsets.UTF_8);
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                lines.send(new LineReader(new ByteArrayInputStream(input), 100));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Await.until(Duration.ofSeconds(20), () -> handedOver.get() == 1, () -> "the line is not sent");
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(lines::stop);
        pending.completeExceptionally(new IllegalStateException("the topic is terminated"));
        assertThatThrownBy(stopping::join)
                .hasMessageContaining("line 1 was not stored")
                .hasMessageContaining("terminated");
        assertThatThrownBy(sending::join).hasMessageContaining("line 1 was not stored");
    }

    private static void stopOnAnotherThread(LineProducer lines) {
        CompletableFuture.runAsync(lines::stop).join();
    }

    /** A client whose every message is stored at once; it calls back when it is asked for a message to fill. */
    @SuppressWarnings("unchecked")
    private Producer<byte[]> client(Runnable onMessage) {
        return (Producer<byte[]>) Proxy.newProxyInstance(
                Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, (producer, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("newMessage");
                    onMessage.run();
                    return message();
                });
    }

    private TypedMessageBuilder<?> message() {
        return (TypedMessageBuilder<?>) Proxy.newProxyInstance(
                TypedMessageBuilder.class.getClassLoader(),
                new Class<?>[] {TypedMessageBuilder.class},
                (message, method, arguments) -> {
                    if (method.getName().equals("sendAsync")) {
                        handedOver.incrementAndGet();
                        return receipt;
                    }
                    return message;
                });
    }
}
