package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.exit.ExitCode;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.schema.SchemaType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace produce} and {@code consume} with one broker, or with that of {@code -Dmillrace.test.url}. */
class ProduceConsumeIT {
    /** A machine that stands still for a while spoils one stop, not each. */
    private static final int STOP_ATTEMPTS = 3;

    @TempDir
    static Path folder;

    private static @Nullable ServedBroker broker;
    private static String url;

    private final String topic = "commands-" + UUID.randomUUID();

    @BeforeAll
    static void startBroker() throws Exception {
        url = System.getProperty("millrace.test.url");
        if (url == null) {
            broker = ServedBroker.start(folder);
            url = broker.url();
        }
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void countStopsAfterExactlyThatManyAndTheRestStays() throws Exception {
        produce("a\nb\nc\nd\ne");
        assertThat(consume("s", "--count", "2")).isEqualTo("a\nb\n");
        assertThat(consume("s", "--count", "3")).isEqualTo("c\nd\ne\n");
    }

    @Test
    void valuesAreToldByTheirSchemas() throws Exception {
        String definition = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
        try (PulsarClient client = Clients.open(url);
                Producer<byte[]> producer = client.newProducer(DefinedSchema.of(SchemaType.AVRO, definition))
                        .topic(topic)
                        .create()) {
            producer.send(new byte[] {14});
            producer.newMessage().value(null).send();
        }
        assertThat(consume("s", "--count", "2", "--json"))
                .containsPattern(
                        "\\{\"id\":\".*\"schema\":\\{\"version\":0,\"type\":\"AVRO\"},\"value\":\\{\"a\":7}}\n")
                .endsWith("\"value\":null}\n");
        assertThat(consume("raw", "--count", "2")).isEqualTo("\16\n\n");
    }

    @Test
    void withoutAckTheMessagesComeAgain() throws Exception {
        produce("a\nb\n");
        assertThat(consume("s", "--count", "2", "--no-ack")).isEqualTo("a\nb\n");
        assertThat(consume("s", "--count", "2")).isEqualTo("a\nb\n");
    }

    @Test
    void sharedConsumersLeaveTheRestOfABatchToEachOther() throws Exception {
        produce("a\nb\nc\n");
        assertThat(consume("s", "--type", "shared", "--count", "1")).isEqualTo("a\n");
        assertThat(consume("s", "--type", "shared", "--count", "2")).isEqualTo("b\nc\n");
    }

    @Test
    void aKeyFieldBecomesTheKeyAndTheLineStaysWhole() throws Exception {
        try (PulsarClient client = Clients.open(url);
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic(topic)
                        .subscriptionName("s")
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()) {
            produce("one  zwölf\tthree\nlonely\n", "--key-field", "2");
            Message<byte[]> keyed = consumer.receive(30, TimeUnit.SECONDS);
            Message<byte[]> bare = consumer.receive(30, TimeUnit.SECONDS);
            if (!keyed.hasKey()) {
                Message<byte[]> first = keyed;
                keyed = bare;
                bare = first;
            }
            assertThat(keyed.getKey()).isEqualTo("zwölf");
            assertThat(new String(keyed.getData(), StandardCharsets.UTF_8)).isEqualTo("one  zwölf\tthree");
            assertThat(bare.hasKey()).isFalse();
        }
    }

    @Test
    void nothingOnStdinIsNothingSentAndNoFailure() throws Exception {
        try (Millrace produce = Millrace.run(folder, "produce", topic, "--url", url)) {
            assertThat(produce.exitCode()).as(produce.err()).isZero();
            assertThat(produce.out()).isEmpty();
            assertThat(produce.err()).startsWith("produced 0 messages").hasLineCount(1);
        }
    }

    @Test
    void aLineThatIsTooLongIsToldOnce() throws Exception {
        byte[] lines = ("short\n" + "x".repeat(6 << 20) + "\n").getBytes(StandardCharsets.UTF_8);
        try (Millrace produce = Millrace.run(folder, lines, "produce", topic, "--url", url)) {
            assertThat(produce.exitCode()).isEqualTo(1);
            assertThat(produce.err())
                    .containsOnlyOnce("line 2 was not stored")
                    .doesNotContain("the stop was not clean");
        }
    }

    @Test
    void aReaderThatGoesAwayEndsConsumeQuietly() throws Exception {
        produce("line\n".repeat(50_000));
        ProcessBuilder pipe = new ProcessBuilder(
                "bash",
                "-c",
                "\"$0\" consume \"$1\" --url \"$2\" --subscription s --from earliest | head -n 1; exit ${PIPESTATUS[0]}",
                System.getProperty("millrace.launcher"),
                topic,
                url);
        Process pipeline =
                Millrace.underTest(pipe.redirectError(Redirect.DISCARD)).start();
        String out = new String(pipeline.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(pipeline.waitFor()).isEqualTo(ExitCode.BROKEN_PIPE);
        assertThat(out).isEqualTo("line\n");
    }

    /** Another consumer of the subscription gets what one with a slow reader has no room for. */
    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void largeMessagesStayAtTheBrokerWhileNobodyReadsWhatIsPrinted() throws Exception {
        String[] command = {
            "consume", topic, "--url", url, "--subscription", "s", "--type", "shared", "--from", "earliest"
        };
        try (PulsarClient client = Clients.open(url);
                Producer<byte[]> producer =
                        client.newProducer().topic(topic).enableBatching(false).create()) {
            byte[] large = new byte[4 << 20];
            send(producer, large, 20);
            Process consume = Millrace.underTest(
                            new ProcessBuilder(with(new String[] {System.getProperty("millrace.launcher")}, command))
                                    .redirectError(Redirect.DISCARD))
                    .start();
            try (Consumer<byte[]> other = client.newConsumer()
                    .topic(topic)
                    .subscriptionName("s")
                    .subscriptionType(SubscriptionType.Shared)
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                    .receiverQueueSize(1)
                    .startPaused(true)
                    .subscribe()) {
                consume.getInputStream().skipNBytes(20L * (large.length + 1));
                send(producer, large, 30);
                other.resume();
                for (int i = 0; i < 10; i++) {
                    Message<byte[]> message = other.receive(20, TimeUnit.SECONDS);
                    assertThat(message).as("message %d of the other", i).isNotNull();
                    other.acknowledge(message);
                }
            } finally {
                consume.destroyForcibly().waitFor();
            }
        }
    }

    private static void send(Producer<byte[]> producer, byte[] message, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            producer.send(message);
        }
    }

    @Test
    void aStoppedProducerSaysHowMuchIsStored() throws Exception {
        Ended ended = endProducer("fifo-0");
        for (int i = 1; i < STOP_ATTEMPTS && ended.isCutOff(); i++) {
            ended = endProducer("fifo-" + i);
        }
        assertThat(ended).matches(Ended::isInTime, "is ended by SIGTERM");
        assertThat(ended.err()).contains("stopped after 2 stored lines");
    }

    private Ended endProducer(String pipe) throws Exception {
        Path fifo = folder.resolve(topic + pipe);
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        try (Millrace produce = Millrace.start(folder, "produce", topic, "--url", url, "--file", fifo.toString());
                var lines = Files.newOutputStream(fifo)) {
            lines.write("a\nb\n".getBytes(StandardCharsets.UTF_8));
            lines.flush();
            assertThat(consume("s", "--count", "2")).isEqualTo("a\nb\n");
            produce.terminate();
            return Ended.of(produce);
        }
    }

    @Test
    void helpAndVersionSucceedAndUsageErrorsAreTwo() throws Exception {
        for (String[] asked :
                new String[][] {{"--help"}, {"serve", "--help"}, {"produce", "-h"}, {"consume", "--help"}, {"-V"}}) {
            try (Millrace run = Millrace.run(folder, asked)) {
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(run.out()).containsIgnoringCase("millrace");
            }
        }
        String[][] wrong = {
            {},
            {"produce"},
            {"produce", "t", "--key-field", "0"},
            {"produce", "t", "--url", "http://localhost"},
            {"produce", "t", "--file", "/there/is/none"},
            {"consume", "t"},
            {"consume", "t", "--subscription", "s", "--type", "several"},
            {"consume", "t", "--subscription", "s", "--count", "0"},
            {"consume", "t", "--url", url, "--subscription", ""},
            {"produce", "", "--url", url},
        };
        for (String[] arguments : wrong) {
            try (Millrace run = Millrace.run(folder, arguments)) {
                assertThat(run.exitCode()).as(String.join(" ", arguments)).isEqualTo(ExitCode.USAGE);
                assertThat(run.out()).isEmpty();
                assertThat(run.err()).startsWith("millrace: ");
            }
        }
    }

    @Test
    void aBrokerThatIsNotThereIsAFailureInOneLine() throws Exception {
        try (Millrace run = Millrace.run(folder, "produce", "t", "--url", "pulsar://127.0.0.1:1")) {
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err())
                    .contains("pulsar://127.0.0.1:1")
                    .contains("refused")
                    .hasLineCount(1);
        }
    }

    private void produce(String lines, String... more) throws Exception {
        String[] arguments = with(new String[] {"produce", topic, "--url", url}, more);
        try (Millrace run = Millrace.run(folder, lines.getBytes(StandardCharsets.UTF_8), arguments)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
    }

    private String consume(String subscription, String... more) throws Exception {
        String[] first = {"consume", topic, "--url", url, "--from", "earliest", "--subscription", subscription};
        try (Millrace run = Millrace.run(folder, with(first, more))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            return run.out();
        }
    }

    private static String[] with(String[] first, String... more) {
        String[] all = java.util.Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return all;
    }
}
