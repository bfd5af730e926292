package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.exit.ExitCode;
import io.millrace.testkit.Behaviour;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Reader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace serve}: its ready line, its end, and what keeps it from starting. */
class ServeIT {
    private static final Duration RECEIPT_LIMIT = Duration.ofSeconds(60);
    private static final int STOP_ATTEMPTS = 3;

    @TempDir
    Path folder;

    @Test
    void theOnlyLineOnStdoutNamesTheServiceUrl() throws Exception {
        try (ServedBroker broker = ServedBroker.start(folder)) {
            assertThat(broker.process().out()).isEqualTo("millrace ready at " + broker.url() + "\n");
            assertThat(broker.process().err()).isEmpty();
            broker.kill();
            broker.restart();
            assertThat(broker.process().out()).isEqualTo("millrace ready at " + broker.url() + "\n");
        }
    }

    @Test
    void clientsAreToldTheVersionOfTheJar() throws Exception {
        byte[] connect = {0, 0, 0, 11, 0, 0, 0, 7, 8, 2, 0x12, 3, 0x0A, 1, 'x'};
        try (ServedBroker broker = ServedBroker.start(folder);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            client.getOutputStream().write(connect);
            byte[] size = client.getInputStream().readNBytes(4);
            byte[] reply = client.getInputStream().readNBytes(size[3]);
            assertThat(new String(reply, StandardCharsets.ISO_8859_1))
                    .contains("Millrace " + System.getProperty("millrace.version"));
        }
    }

    @Test
    @Behaviour("PRO-1")
    void aLineOfTheLogBeginsWithItsDateAndTime() throws Exception {
        try (ServedBroker broker = ServedBroker.start(folder);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            client.getOutputStream().write(new byte[] {-1, -1, -1, -1});
            assertThat(client.getInputStream().read())
                    .as("the end of the connection")
                    .isEqualTo(-1);
            Await.until(
                    Duration.ofSeconds(30), () -> broker.process().err().endsWith("\n"), () -> "no line in the log");
            assertThat(broker.process().err())
                    .matches("(?s)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\S+ WARN .*connection closed.*");
        }
    }

    /** The broker itself says that its stop took too long; on a machine that stands still for a while it may, once. */
    @Test
    void sigtermEndsABusyBrokerInTimeAndEveryReceiptHolds() throws Exception {
        Ended ended = endBusyBroker(folder.resolve("0"));
        for (int i = 1; i < STOP_ATTEMPTS && ended.isCutOff(); i++) {
            System.out.println("ServeIT: stopped again after " + ended);
            ended = endBusyBroker(folder.resolve(Integer.toString(i)));
        }
        assertThat(ended).isEqualTo(new Ended(Ended.SIGTERM_CODE, ""));
    }

    private static Ended endBusyBroker(Path folder) throws Exception {
        Files.createDirectory(folder);
        AtomicInteger receipts = new AtomicInteger();
        try (ServedBroker broker = ServedBroker.start(folder);
                PulsarClient client = Clients.open(broker.url())) {
            Producer<byte[]> producer = client.newProducer()
                    .topic("busy")
                    .sendTimeout(0, TimeUnit.SECONDS)
                    .maxPendingMessages(20_000)
                    .create();
            CompletableFuture<?> last = CompletableFuture.completedFuture(null);
            for (int i = 0; i < 20_000; i++) {
                last = producer.sendAsync(number(i)).thenRun(receipts::incrementAndGet);
                if (i == 10_000) {
                    Await.until(RECEIPT_LIMIT, () -> receipts.get() > 0, () -> "no receipt");
                    broker.process().terminate();
                }
            }
            Ended ended = Ended.of(broker.process());
            int before = receipts.get();
            broker.restart();
            last.get(60, TimeUnit.SECONDS);
            assertThat(before).isPositive();
            assertNumbersInOrder(client, before);
            return ended;
        }
    }

    @Test
    @Behaviour("LOG-11")
    void aSecondBrokerOnTheSameFolderIsRefusedAndTheFirstGoesOn() throws Exception {
        try (ServedBroker broker = ServedBroker.start(folder);
                Millrace second = Millrace.run(
                        folder,
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        broker.dataFolder().toString())) {
            assertRefused(second, ExitCode.FAILURE, broker.dataFolder().toString());
            try (Millrace produce = Millrace.run(
                    folder, "still here\n".getBytes(StandardCharsets.UTF_8), "produce", "t", "--url", broker.url())) {
                assertThat(produce.exitCode()).as(produce.err()).isZero();
            }
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            try (Millrace serve = Millrace.run(
                    folder,
                    "serve",
                    "--port",
                    port,
                    "--data",
                    folder.resolve("data").toString())) {
                assertRefused(serve, ExitCode.FAILURE, port);
            }
        }
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        try (Millrace below = Millrace.run(
                        folder,
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        file.resolve("data").toString());
                Millrace at = Millrace.run(folder, "serve", "--port", "0", "--data", file.toString())) {
            assertRefused(below, ExitCode.FAILURE, file.toString());
            assertRefused(at, ExitCode.FAILURE, file.toString());
        }
    }

    @Test
    void aBadConfigurationIsRefusedWithItsKey() throws Exception {
        Path unknown = Files.writeString(folder.resolve("unknown.properties"), "prot=1\n");
        Path wrong = Files.writeString(folder.resolve("wrong.properties"), "port=many\n");
        for (Path file : new Path[] {unknown, wrong, folder.resolve("missing.properties")}) {
            try (Millrace serve = Millrace.run(folder, "serve", "--config", file.toString())) {
                assertRefused(serve, ExitCode.USAGE, file.toString());
            }
        }
        try (Millrace serve = Millrace.run(folder, "serve", "--port", "65536")) {
            assertRefused(serve, ExitCode.USAGE, "65536");
        }
    }

    @Test
    void aFlagWinsOverTheFile() throws Exception {
        Path data = folder.resolve("from-flag");
        Path file = Files.writeString(
                folder.resolve("some.properties"), "port=1\ndata-folder=" + folder.resolve("from-file") + "\n");
        try (Millrace serve = Millrace.start(folder, "serve", "--port=0", "--config=" + file, "--data=" + data)) {
            Await.until(Duration.ofSeconds(30), () -> serve.out().endsWith("\n"), serve::err);
            assertThat(data).isDirectory();
            assertThat(folder.resolve("from-file")).doesNotExist();
        }
    }

    @Test
    void theAdminApiIsServedBesideAndSaysWhere() throws Exception {
        String data = folder.resolve("with-http").toString();
        try (Millrace serve = Millrace.start(folder, "serve", "--port", "0", "--data", data)) {
            Await.until(
                    Duration.ofSeconds(30),
                    () -> serve.out().lines().count() == 2 && serve.out().endsWith("\n"),
                    serve::err);
            String line = serve.out().lines().skip(1).findFirst().orElseThrow();
            assertThat(line).startsWith("millrace admin at http://127.0.0.1:");
            java.net.URI health =
                    java.net.URI.create(line.substring(line.indexOf("http")) + "/admin/v2/brokers/health");
            assertThat(java.net.http.HttpClient.newHttpClient()
                            .send(
                                    java.net.http.HttpRequest.newBuilder(health).build(),
                                    java.net.http.HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("ok");
        }
    }

    @Test
    void whatClientsAreToldIsAFlag() throws Exception {
        String data = folder.resolve("told").toString();
        String[] command = {
            "serve", "--port", "0", "--http-port", "off", "--advertised-address", "broker.example:1", "--data", data
        };
        try (Millrace serve = Millrace.start(folder, command)) {
            Await.until(Duration.ofSeconds(30), () -> serve.out().endsWith("\n"), serve::err);
            assertThat(serve.out()).isEqualTo("millrace ready at pulsar://broker.example:1\n");
        }
        try (Millrace serve = Millrace.run(folder, "serve", "--advertised-listeners", "outside")) {
            assertRefused(serve, ExitCode.USAGE, "name:pulsar://host:port");
        }
    }

    @Test
    void anHttpPortThatIsNoneIsRefused() throws Exception {
        try (Millrace serve = Millrace.run(folder, "serve", "--port", "0", "--http-port", "often")) {
            assertRefused(serve, ExitCode.USAGE, "often");
        }
    }

    private static void assertRefused(Millrace run, int code, String named) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("millrace: ").contains(named).doesNotContain("\tat ");
        assertThat(run.err().lines()).hasSize(1);
    }

    private static void assertNumbersInOrder(PulsarClient client, int count) throws Exception {
        try (Reader<byte[]> reader = client.newReader()
                .topic("busy")
                .startMessageId(MessageId.earliest)
                .create()) {
            for (int i = 0; i < count; i++) {
                assertThat(reader.readNext(10, TimeUnit.SECONDS).getData()).isEqualTo(number(i));
            }
        }
    }

    private static byte[] number(int i) {
        return Integer.toString(i).getBytes(StandardCharsets.UTF_8);
    }
}
