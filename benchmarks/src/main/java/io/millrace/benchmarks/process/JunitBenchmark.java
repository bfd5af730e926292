package io.millrace.benchmarks.process;

import io.millrace.benchmarks.junit.CasesProgram;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;

/**
 * What a broker costs tests, each time beside the same tests without one: the first class of a fresh JVM, from exec to exit, and each further
 * class. The peer is a real Pulsar started as a process of its own, from exec to its first receipt.
 */
public final class JunitBenchmark implements Benchmark {
    /** What a project has that tests with the annotation, beside its client. */
    private static final Pattern USERS = Pattern.compile(
            ".*/(benchmarks|streams|wire|avro|broker|junit)/target/.*|.*/(org/junit|io/netty|org/slf4j|org/jctools)/.*"
                    + "|.*(millrace-(streams|wire|avro|broker|junit)-|opentest4j|apiguardian|jspecify|reactive-streams-1).*");

    private static final int FURTHER_CLASSES = 20;

    /** From exec to exit, and what each class took. */
    private record Run(double wallMillis, List<Double> classMillis) {}

    @Override
    public String name() {
        return "junit";
    }

    @Override
    public String summary() {
        return "what @Millrace costs the first test class of a JVM and each further one, beside Pulsar standalone, on every JDK";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        BrokerProgram pulsar = new BrokerProgram.Pulsar(setting);
        pulsar.prepare();
        for (Jdk jdk : Jdk.installed()) {
            measure(setting, jdk, pulsar, report);
        }
        report.note("testcontainers-java#5830 names 31 s for the start of its PulsarContainer");
    }

    private static void measure(Setting setting, Jdk jdk, BrokerProgram pulsar, Report report) throws Exception {
        Medians medians = new Medians();
        int rounds = setting.count(11, 3);
        for (int round = 0; round <= rounds; round++) {
            for (String kind : List.of("Plain", "Served", "Exchange")) {
                Run one = run(setting, jdk, kind, 1);
                Run more = run(setting, jdk, kind, 1 + FURTHER_CLASSES);
                if (round > 0) {
                    medians.add("wall", "ms", kind, one.wallMillis());
                    medians.add("first", "ms", kind, one.classMillis().get(0));
                    more.classMillis().stream().skip(1).forEach(millis -> medians.add("further", "ms", kind, millis));
                }
            }
            report.progress("JDK %d, round %d of %d", jdk.version(), round, rounds);
        }
        double standalone = standaloneMillis(setting, jdk, pulsar);
        for (String kind : List.of("Served", "Exchange")) {
            String workload = kind.toLowerCase(Locale.ROOT) + "-jdk" + jdk.version();
            report.add(figure("first-" + workload, over(medians, "wall", kind), Map.of("pulsar", standalone)));
            report.add(figure("further-" + workload, over(medians, "further", kind), Map.of()));
            report.note(
                    "%-24s first class %.0f ms, %.0f ms from exec to exit; without a broker %.0f and %.0f ms",
                    workload,
                    median(medians, "first", kind),
                    median(medians, "wall", kind),
                    median(medians, "first", "Plain"),
                    median(medians, "wall", "Plain"));
        }
    }

    private static Figure figure(String workload, double millis, Map<String, Double> peers) {
        return new Figure(workload, "ms", Figure.Better.LOWER, millis, peers);
    }

    private static double over(Medians medians, String workload, String kind) {
        return median(medians, workload, kind) - median(medians, workload, "Plain");
    }

    private static double median(Medians medians, String workload, String kind) {
        return medians.median(workload, kind).orElseThrow();
    }

    private static Run run(Setting setting, Jdk jdk, String kind, int classes)
            throws IOException, InterruptedException {
        boolean hasClient = kind.equals("Exchange");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> hasClient || USERS.matcher(entry).matches())
                .collect(Collectors.joining(File.pathSeparator));
        Path folder = setting.emptyFolder("junit");
        long started = System.nanoTime();
        Process process = new ProcessBuilder(
                        jdk.java(),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        classPath,
                        CasesProgram.class.getName(),
                        kind,
                        String.valueOf(classes))
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the tests of " + kind + "Case failed: " + printed);
        }
        double wallMillis = (System.nanoTime() - started) / 1e6;
        return new Run(
                wallMillis,
                printed.lines()
                        .filter(line -> line.startsWith("class "))
                        .map(line -> Double.valueOf(line.substring("class ".length())))
                        .toList());
    }

    private static double standaloneMillis(Setting setting, Jdk jdk, BrokerProgram pulsar) throws Exception {
        Path data = setting.emptyFolder("junit-pulsar");
        long started = System.nanoTime();
        try (RunningBroker broker = pulsar.start(data, jdk);
                PulsarClient client = BenchmarkClient.connect(broker.url());
                Producer<byte[]> producer = BenchmarkClient.producer(broker, client, "junit")) {
            producer.send(new byte[100]);
            return (System.nanoTime() - started) / 1e6;
        }
    }
}
