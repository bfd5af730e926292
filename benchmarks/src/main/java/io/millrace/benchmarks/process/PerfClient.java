package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Setting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.SubscriptionType;
import org.jspecify.annotations.Nullable;

/** Pulsar's own load generator, pulsar-perf, as a process of its own against one broker. */
record PerfClient(Setting setting, RunningBroker broker) {
    private static final Pattern PRODUCING = Pattern.compile("Adding \\d+ publishers");
    private static final Pattern CONSUMING = Pattern.compile("Adding \\d+ consumers per subscription");
    private static final Pattern DONE = Pattern.compile("-- DONE");
    private static final int LINES_KEPT = 30;
    private static final int MAX_MINUTES = 5;
    /** Messages without a receipt, or the client's own memory would be what ends the run. */
    private static final String OUTSTANDING = "10000";

    /** What a run took, from the first producer or consumer until the last message, and what the broker used for it. */
    record Sample(double seconds, double brokerCpuSeconds) {}

    /** Resolves it, so that no run is timed with that. */
    static void prepare(Setting setting) throws IOException, InterruptedException {
        Process prepare = script(setting, List.of("prepare")).inheritIO().start();
        if (prepare.waitFor() != 0) {
            throw new IOException("pulsar-perf could not be resolved; its dependencies are in benchmarks/peers");
        }
    }

    /** Publishes so many messages of so many bytes as fast as the broker takes them. */
    Sample produce(String topic, int messages, int bytes, boolean batched) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("produce", "-r", "100000000", "-o", OUTSTANDING));
        arguments.addAll(List.of("-mk", "autoIncrement"));
        arguments.addAll(List.of("-m", String.valueOf(messages), "-s", String.valueOf(bytes)));
        if (!batched) {
            arguments.add("-db");
        }
        arguments.add(topic);
        return run(arguments, PRODUCING);
    }

    /** The subscription by which so many consumers of that type consume. */
    static String subscription(SubscriptionType type, int consumers) {
        return type + "-" + consumers;
    }

    /** Receives and acknowledges so many messages by the consumers of a subscription that nobody has used before. */
    Sample consume(String topic, int messages, SubscriptionType type, int consumers) throws IOException {
        return run(
                List.of(
                        "consume",
                        "-m",
                        String.valueOf(messages),
                        "-st",
                        type.name(),
                        "-n",
                        String.valueOf(consumers),
                        "-ss",
                        subscription(type, consumers),
                        "-sp",
                        "Earliest",
                        topic),
                CONSUMING);
    }

    private Sample run(List<String> arguments, Pattern begin) throws IOException {
        ProcessBuilder command = script(setting, arguments).redirectErrorStream(true);
        command.environment().put("URL", broker.url());
        Process perf = command.start();
        CompletableFuture.delayedExecutor(MAX_MINUTES, TimeUnit.MINUTES).execute(perf::destroyForcibly);
        try (BufferedReader lines = perf.inputReader(StandardCharsets.UTF_8)) {
            return measure(lines, begin, arguments);
        } finally {
            perf.descendants().forEach(ProcessHandle::destroyForcibly);
            perf.destroyForcibly().onExit().join();
        }
    }

    private Sample measure(BufferedReader lines, Pattern begin, List<String> arguments) throws IOException {
        List<String> last = new ArrayList<>();
        long startNanos = 0;
        @Nullable Duration cpuAtStart = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (cpuAtStart == null && begin.matcher(line).find()) {
                cpuAtStart = broker.cpuTime();
                startNanos = System.nanoTime();
            } else if (cpuAtStart != null && DONE.matcher(line).find()) {
                double seconds = (System.nanoTime() - startNanos) / 1e9;
                return new Sample(seconds, broker.cpuTime().minus(cpuAtStart).toNanos() / 1e9);
            }
            if (last.size() == LINES_KEPT) {
                last.remove(0);
            }
            last.add(line);
        }
        throw new IOException("pulsar-perf " + arguments + " ended early, or took more than " + MAX_MINUTES
                + " minutes:\n" + String.join("\n", last));
    }

    private static ProcessBuilder script(Setting setting, List<String> arguments) {
        Path script = setting.home().resolve("benchmarks/peers/pulsar-standalone/perf.sh");
        List<String> command = new ArrayList<>();
        command.add(script.toString());
        command.addAll(arguments);
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment()
                .put(
                        "WORK",
                        setting.home()
                                .resolve("benchmarks/target/pulsar-standalone")
                                .toString());
        return process;
    }
}
