package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineProducerTest {
    private int begun;
    private int handedOver;

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
        assertThat(handedOver).as("lines sent, of which the stop told one").isEqualTo(1);
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
                        handedOver++;
                        return CompletableFuture.completedFuture(MessageId.latest);
                    }
                    return message;
                });
    }
}
