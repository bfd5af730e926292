package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.junit.MillraceService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker on a folder, the ordinary client and Pulsar's own admin client. */
@Timeout(120)
abstract class AdminFixture {
    static final String NAMESPACE = "public/default";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    Path folder;

    MillraceService service;
    PulsarAdmin admin;
    PulsarClient client;

    @BeforeEach
    void start() throws Exception {
        service = MillraceService.start(folder);
        admin = PulsarAdmin.builder().serviceHttpUrl(service.httpServiceUrl()).build();
        client = PulsarClient.builder().serviceUrl(service.serviceUrl()).build();
    }

    @AfterEach
    void stop() throws Exception {
        admin.close();
        // Its threads take two seconds to end, for which nobody waits.
        CompletableFuture<Void> unused = client.closeAsync();
        service.close();
    }

    /** Everything that was said is done must be there afterwards. */
    void restart() throws Exception {
        stop();
        start();
    }

    /** Publishes texts, one entry each. */
    MessageId[] publish(String topic, String... texts) throws Exception {
        MessageId[] ids = new MessageId[texts.length];
        try (Producer<byte[]> producer =
                client.newProducer().topic(topic).enableBatching(false).create()) {
            for (int i = 0; i < texts.length; i++) {
                ids[i] = producer.newMessage()
                        .key("key-" + texts[i])
                        .property("text", texts[i])
                        .property("word", "Wört")
                        .value(bytes(texts[i]))
                        .send();
            }
        }
        return ids;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(Message<byte[]> message) {
        return new String(message.getData(), StandardCharsets.UTF_8);
    }

    static void refusedWith(int status, ThrowingCallable verb) {
        Throwable refusal = catchThrowable(verb);
        assertThat(refusal).isInstanceOf(PulsarAdminException.class);
        assertThat(((PulsarAdminException) refusal).getStatusCode())
                .as(String.valueOf(refusal))
                .isEqualTo(status);
        assertThat(((PulsarAdminException) refusal).getHttpError()).isNotBlank().doesNotStartWith("HTTP 5");
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("it came to pass in time").isNegative();
            Thread.onSpinWait();
        }
    }
}
