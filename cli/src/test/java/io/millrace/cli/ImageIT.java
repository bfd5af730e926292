package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.ImageTree.Run;
import io.millrace.cli.exit.ExitCode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Those who start Pulsar's image start this one by the same commands, find it ready as they look for it, and use it. */
@Timeout(120)
final class ImageIT {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Pattern ADMIN = Pattern.compile("millrace admin at (http://\\S+)\n");
    private static final Pattern SERVICE = Pattern.compile("millrace ready at pulsar://\\S+:(\\d+)\n");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path folder;

    private static ImageTree image;

    @BeforeAll
    static void layOut() throws Exception {
        image = ImageTree.in(folder);
    }

    /** By exactly its command; both wait for the one cluster, in Go for a line of the log, too. */
    @Test
    void testcontainersForJavaAndGo() throws Exception {
        String command = "/pulsar/bin/apply-config-from-env.py /pulsar/conf/standalone.conf"
                + " && bin/pulsar standalone --no-functions-worker -nss";
        try (Run run = image.start(anyPorts(Map.of("PULSAR_MEM", "-Xmx9g")), "/bin/bash", "-c", command)) {
            awaitClusters(run);
            awaitLine(run, "Successfully updated the policies on namespace public/default");
            assertMessagesArrive("pulsar://127.0.0.1:" + port(run));
            assertThat(run.out()).doesNotContain("WARN", "Function worker service started");
            assertStops(run);
        }
    }

    /** It waits in the container for a script that it copies there. */
    @Test
    void testcontainersForDotNet() throws Exception {
        Path script = folder.resolve("dotnet.sh");
        Files.writeString(script, "#!/bin/bash\nbin/pulsar standalone --no-functions-worker --no-stream-storage");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        String wait = "while [ ! -f /started.sh ]; do sleep 0.1; done; exec /started.sh";
        try (Run run = image.start(script, anyPorts(Map.of()), "/bin/sh", "-c", wait)) {
            awaitClusters(run);
            assertMessagesArrive("pulsar://127.0.0.1:" + port(run));
        }
    }

    /** It tells the broker its mapped port, which only those who name the listener are told. */
    @Test
    void quarkus() throws Exception {
        Path script = folder.resolve("quarkus.sh");
        Files.writeString(
                script,
                "#!/bin/bash \nexport PULSAR_PREFIX_advertisedListeners="
                        + "internal:pulsar://localhost:6650,external:pulsar://127.0.0.1:49153 \n"
                        + "bin/apply-config-from-env.py conf/standalone.conf && bin/pulsar standalone -nfw -nss");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        String wait = "while [ ! -x /started.sh ]; do sleep 0.1; done; /started.sh";
        try (Run run = image.start(script, anyPorts(Map.of()), "sh", "-c", wait)) {
            awaitLine(run, "Created namespace public/default");
            assertMessagesArrive("pulsar://127.0.0.1:" + port(run));
            String lookup = "/lookup/v2/topic/persistent/public/default/prices";
            assertThat(get(admin(run) + lookup + "?listenerName=external")).contains("pulsar://127.0.0.1:49153");
        }
    }

    /** As Compose files write it, of which Spring Boot takes the ports; with settings that are known, and that are not. */
    @Test
    void composeFiles() throws Exception {
        Map<String, String> environment = anyPorts(Map.of(
                "PULSAR_PREFIX_allowAutoTopicCreationType", "partitioned",
                "PULSAR_PREFIX_defaultNumPartitions", "3",
                "PULSAR_PREFIX_systemTopicEnabled", "true"));
        try (Run run = image.start(environment, "bin/pulsar", "standalone")) {
            awaitClusters(run);
            assertMessagesArrive("pulsar://127.0.0.1:" + port(run));
            assertThat(get(admin(run) + "/admin/v2/persistent/public/default/orders/partitions"))
                    .contains("\"partitions\":3");
            assertThat(run.out()).containsOnlyOnce("PULSAR_PREFIX_systemTopicEnabled has no effect here");
            administer(admin(run).replace("localhost", "127.0.0.1"));
            exchange("pulsar://127.0.0.1:" + port(run));
            assertStops(run);
        }
    }

    /** The signal reaches it; in time, or it says itself that a busy machine cut it off. */
    private static void assertStops(Run run) throws Exception {
        Ended ended = new Ended(run.stop(), run.out());
        assertThat(ended).matches(end -> end.isInTime() || end.isCutOff(), "is ended by SIGTERM");
    }

    private static void administer(String url) throws Exception {
        assertThat(admin(url, "brokers healthcheck")).isEqualTo("0: ok\n");
        assertThat(admin(url, "clusters list")).isEqualTo("0: standalone\n");
        assertThat(admin(url, "tenants create acme")).isEqualTo("0: ");
        assertThat(admin(url, "tenants list")).contains("acme\n", "public\n").doesNotContain("\"", "[");
        assertThat(admin(url, "namespaces list acme")).isEqualTo("0: ");
        assertThat(admin(url, "tenants create acme")).startsWith("1: pulsar-admin: HTTP/1.1 409");
        assertThat(admin(url, "namespaces create acme/dev")).startsWith("0: ");
        assertThat(admin(url, "topics create-partitioned-topic acme/dev/rows -p 4"))
                .startsWith("0: ");
        assertThat(admin(url, "namespaces list acme")).isEqualTo("0: acme/dev\n");
        assertThat(admin(url, "topics list acme/dev"))
                .startsWith("0: persistent://acme/dev/rows-partition-0\n")
                .hasLineCount(4);
        assertThat(admin(url, "topics create acme/dev/a%b")).isEqualTo("0: ");
        assertThat(admin(url, "topics list acme/dev")).contains("persistent://acme/dev/a%b\n");
        for (String subscription : List.of("a", "b")) {
            assertThat(admin(url, "topics create-subscription acme/dev/a%b -s " + subscription))
                    .startsWith("0: ");
        }
        assertThat(admin(url, "topics subscriptions acme/dev/a%b")).isEqualTo("0: a\nb\n");
        assertThat(admin(url, "topics list acme/none")).startsWith("1: pulsar-admin: HTTP/1.1 404");
        assertThat(admin(url, "topics stats acme/dev/rows")).startsWith("0: ").contains("\"partitions\"");
        assertThat(admin(url, "topics compact acme/dev/rows")).startsWith("1: ").contains("no 'topics compact' here");
        assertThat(admin(url, "topics skip acme/dev/rows -n 1")).contains("1: ").contains("needs --subscription");
        assertThat(admin(url, "topics create a --bad 1")).contains("1: ").contains("no --bad here");
        assertThat(admin(url, "tenants create other -c elsewhere")).contains("1: ", "the only cluster is standalone");
        assertThat(admin(url, "tenants create other -c standalone")).startsWith("0: ");
        assertThat(admin(url, "topics create-partitioned-topic acme/dev/more -p 4 -m k=v"))
                .contains("1: ", "no -m here for 'topics create-partitioned-topic'");
        assertThat(admin(url, "topics create-subscription acme/dev/rows -s s -p owner=me"))
                .contains("1: ", "no -p here for 'topics create-subscription'");
        assertThat(admin("http://127.0.0.1:1", "brokers healthcheck"))
                .startsWith("1: ")
                .contains("nobody answers");
    }

    /** However long an answer is, and however it says where it ends. */
    @Test
    void everyFormOfAnAnswerIsRead() throws Exception {
        String name = "é\\\"".repeat(10_000);
        byte[] body = ("[\"" + name + "\",\"b\"]").getBytes(StandardCharsets.UTF_8);
        String printed = "0: " + name.replace("\\", "") + "\nb\n";
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; at += 7_777) {
            int bytes = Math.min(7_777, body.length - at);
            chunks.writeBytes((Integer.toHexString(bytes) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            chunks.write(body, at, bytes);
            chunks.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        byte[] cut = chunks.toByteArray();
        chunks.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(answered("Content-Length: " + body.length, body)).isEqualTo(printed);
        assertThat(answered("Transfer-Encoding: chunked", chunks.toByteArray())).isEqualTo(printed);
        assertThat(answered("Connection: close", body)).isEqualTo(printed);
        assertThat(answered("Transfer-Encoding: chunked", cut))
                .startsWith("1: ")
                .contains("is cut short");
        assertThat(answered("Content-Length: " + (body.length + 1), body))
                .startsWith("1: ")
                .contains("is cut short");
    }

    /** What the list of tenants says of that answer. */
    private static String answered(String header, byte[] body) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> {
                try (Socket asked = server.accept()) {
                    BufferedReader request = new BufferedReader(
                            new InputStreamReader(asked.getInputStream(), StandardCharsets.US_ASCII));
                    for (String line = request.readLine(); !line.isEmpty(); ) {
                        line = request.readLine();
                    }
                    asked.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\n" + header + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                    asked.getOutputStream().write(body);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            String said = admin("http://127.0.0.1:" + server.getLocalPort(), "tenants list");
            answer.get(30, TimeUnit.SECONDS);
            return said;
        }
    }

    /** As Pulsar's own guide tries a broker in a container. */
    private static void exchange(String url) throws Exception {
        assertThat(client(url, "produce greetings --messages 'hello pulsar,again,' -n 2"))
                .startsWith("0: ");
        String consumed = client(url, "consume greetings -s first -p Earliest -t Shared -n 4");
        assertThat(consumed.lines().map(line -> line.replace("0: ", "")))
                .filteredOn(line -> line.equals("hello pulsar") || line.equals("again"))
                .hasSize(4);
        assertThat(client(url, "consume greetings")).contains("1: ", "needs --subscription-name");
        assertThat(client(url, "consume greetings -s s --regex")).contains("1: ", "no --regex here for 'consume'");
        assertThat(client(url, "read greetings")).contains("1: ", "no 'read' here");
    }

    private static String client(String url, String command) throws Exception {
        try (Run run = image.run(Map.of(), "/bin/bash", "-c", "exec bin/pulsar-client --url " + url + " " + command)) {
            return run.exitCode() + ": " + run.out();
        }
    }

    private static String admin(String url, String command) throws Exception {
        try (Run run =
                image.run(Map.of(), "/bin/bash", "-c", "exec bin/pulsar-admin --admin-url " + url + " " + command)) {
            return run.exitCode() + ": " + run.out();
        }
    }

    /** The check of the image's health finds the broker wherever it was told to listen. */
    @Test
    void theHealthCheckAsksThePortThatIsSet() throws Exception {
        Map<String, String> ways = Map.of(
                "PULSAR_PREFIX_webServicePort",
                "MILLRACE_SETTING_HTTP_PORT",
                "webServicePort",
                "PULSAR_PREFIX_webServicePort");
        for (Map.Entry<String, String> way : ways.entrySet()) {
            Map<String, String> environment = anyPorts(Map.of());
            environment.put(way.getKey(), "1");
            environment.put(way.getValue(), Integer.toString(freePort()));
            assertHealthy(environment);
        }
        Path conf = image.pulsar().resolve("conf/standalone.conf");
        String before = Files.readString(conf);
        Files.writeString(conf, before + "\nwebServicePort = " + freePort() + "\n");
        Map<String, String> environment = anyPorts(Map.of());
        environment.remove("PULSAR_PREFIX_webServicePort");
        try {
            assertHealthy(environment);
        } finally {
            Files.writeString(conf, before);
        }
    }

    private static void assertHealthy(Map<String, String> environment) throws Exception {
        try (Run run = image.start(environment, "bin/pulsar", "standalone")) {
            awaitClusters(run);
            try (Run check = image.run(environment, "bin/pulsar-admin", "brokers", "healthcheck")) {
                assertThat(check.exitCode() + ": " + check.out()).isEqualTo("0: ok\n");
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void whatCannotBeIsRefusedAtOnce() throws Exception {
        assertRefused("no authentication", Map.of("authenticationEnabled", "true"), "standalone", "-nfw");
        assertRefused("no transactions", Map.of("PULSAR_PREFIX_transactionCoordinatorEnabled", "true"), "standalone");
        assertRefused("called standalone", Map.of("PULSAR_PREFIX_clusterName", "mine"), "standalone");
        assertRefused("MILLRACE_SETTING_NONE", Map.of("MILLRACE_SETTING_NONE", "1"), "standalone");
        assertRefused("--wipe-data", Map.of(), "standalone", "--wipe-data");
        assertRefused("it comes from --advertised-address", Map.of(), "standalone", "-a", "two words");
        assertRefused("no tokens here", Map.of(), "tokens", "create-secret-key", "--output", "secret.key");
        assertRefused("no 'zookeeper' here", Map.of(), "zookeeper");
    }

    private static void assertRefused(String reason, Map<String, String> environment, String... arguments)
            throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "bin/pulsar";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try (Run run = image.run(environment, command)) {
            assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.USAGE);
            assertThat(run.out()).contains(reason).doesNotContain("ready at", "Created namespace", "\tat ");
        }
    }

    /** Memory is the container's, by either way in which Linux says it. */
    @Test
    void memoryFollowsTheContainersLimit() throws Exception {
        Path two = Files.createDirectories(folder.resolve("cgroup2"));
        Path one = Files.createDirectories(folder.resolve("cgroup1/memory")).getParent();
        Files.writeString(two.resolve("memory.max"), (128 << 20) + "\n");
        Files.writeString(one.resolve("memory/memory.limit_in_bytes"), (1 << 30) + "\n");
        assertThat(flags(two)).contains("-Xmx40m", "-XX:MaxDirectMemorySize=25m");
        assertThat(flags(one)).contains("-Xmx320m", "-XX:MaxDirectMemorySize=204m");
        for (String none : List.of("max", "9223372036854771712", "")) {
            Files.writeString(two.resolve("memory.max"), none + "\n");
            assertThat(flags(two)).contains("-Xmx192m", "-XX:MaxDirectMemorySize=256m");
        }
        Files.writeString(two.resolve("memory.max"), (64 << 20) + "\n");
        assertThat(flags(two)).contains("the container has 64 MiB of memory; a broker needs 96");
    }

    /** What is run in a broker's container shares the limit with it. */
    @Test
    void commandsLeaveTheContainersLimitToTheBroker() throws Exception {
        Path cgroup = Files.createDirectories(folder.resolve("cgroup-of-commands"));
        String command = "--version";
        assertThat(flags(cgroup, command)).contains("-Xms32m", "-Xmx256m", "-XX:MaxDirectMemorySize=128m");
        Files.writeString(cgroup.resolve("memory.max"), (128 << 20) + "\n");
        assertThat(flags(cgroup, command)).contains("-Xms8m", "-Xmx32m", "-XX:MaxDirectMemorySize=16m");
        Files.writeString(cgroup.resolve("memory.max"), (40 << 20) + "\n");
        assertThat(flags(cgroup, command)).contains("-Xms8m", "-Xmx24m", "-XX:MaxDirectMemorySize=8m");
        Files.writeString(cgroup.resolve("memory.max"), (4L << 30) + "\n");
        assertThat(flags(cgroup, command)).contains("-Xms8m", "-Xmx256m", "-XX:MaxDirectMemorySize=128m");
        assertThat(flags(cgroup, "serve --help")).contains("-Xmx192m", "-XX:MaxDirectMemorySize=256m");
    }

    /** The flags of a broker in such a container, of one that refuses its settings. */
    private static String flags(Path cgroup) throws Exception {
        return flags(cgroup, "standalone --settings /none");
    }

    private static String flags(Path cgroup, String command) throws Exception {
        Map<String, String> environment = Map.of(
                "MILLRACE_CGROUP", cgroup.toString(), "MILLRACE_OPTS", "-XX:+PrintCommandLineFlags -Xlog:all=warning");
        try (Run run = image.run(environment, "/bin/bash", "-c", "bash -x bin/millrace " + command)) {
            return run.out();
        }
    }

    @Test
    void theDockerfileCopiesWhatTheDistributionHas() throws Exception {
        Path distribution = ImageTree.distribution(Files.createDirectories(folder.resolve("docker")));
        String file = Files.readString(distribution.resolve("container/Dockerfile"));
        assertThat(file).contains("COPY . /distribution", "USER 10000:0", "WORKDIR /pulsar");
        Matcher scripts = Pattern.compile("/distribution/(\\S+)").matcher(file);
        assertThat(scripts.results().map(found -> found.group(1)))
                .isNotEmpty()
                .allMatch(name -> Files.isExecutable(distribution.resolve(name)));
        Matcher commands = Pattern.compile("/?(bin/[a-z-]+)\\b").matcher(file.substring(file.indexOf("WORKDIR")));
        assertThat(commands.results().map(found -> found.group(1)))
                .contains("bin/millrace", "bin/pulsar", "bin/pulsar-admin")
                .allMatch(name -> Files.isExecutable(image.pulsar().resolve(name)));
        assertThat(Files.readString(image.pulsar().resolve("conf/millrace.properties")))
                .contains("bind-address=0.0.0.0", "data-folder=data/standalone");
    }

    /** Free ports on the loopback address, so that tests may run beside each other. */
    private static Map<String, String> anyPorts(Map<String, String> others) {
        Map<String, String> environment = new HashMap<>(others);
        environment.put("PULSAR_PREFIX_bindAddress", "127.0.0.1");
        environment.put("PULSAR_PREFIX_brokerServicePort", "0");
        environment.put("PULSAR_PREFIX_webServicePort", "0");
        return environment;
    }

    private static void awaitClusters(Run run) throws Exception {
        awaitLine(run, "millrace admin at http");
        Await.until(
                READY_LIMIT,
                () -> get(admin(run) + "/admin/v2/clusters").equals("[\"standalone\"]"),
                () -> run.file().toString());
    }

    private static void awaitLine(Run run, String text) throws Exception {
        Await.until(
                READY_LIMIT,
                () -> {
                    assertThat(run.isAlive()).as(run.out()).isTrue();
                    return Pattern.compile(Pattern.quote(text) + ".*\n")
                            .matcher(run.out())
                            .find();
                },
                () -> text + " in " + run.file());
    }

    private static String admin(Run run) throws IOException {
        return found(ADMIN, run);
    }

    private static String port(Run run) throws IOException {
        return found(SERVICE, run);
    }

    private static String found(Pattern pattern, Run run) throws IOException {
        Matcher matcher = pattern.matcher(run.out());
        assertThat(matcher.find()).as(run.out()).isTrue();
        return matcher.group(1);
    }

    private static String get(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static void assertMessagesArrive(String url) throws Exception {
        try (PulsarClient client = Clients.open(url);
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("orders")
                        .subscriptionName("kitchen")
                        .subscribe();
                Producer<byte[]> producer =
                        client.newProducer(Schema.BYTES).topic("orders").create()) {
            producer.send("soup".getBytes(StandardCharsets.UTF_8));
            Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(message.getData()).asString().isEqualTo("soup");
            consumer.acknowledge(message);
        }
    }
}
