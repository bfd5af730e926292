package io.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker process that this program started, and what the system says about it. */
final class RunningBroker implements AutoCloseable {
    private static final long STOP_SECONDS = 20;
    /** Of the processor times in /proc, on every Linux. */
    private static final long MILLIS_A_TICK = 10;

    private final Process process;
    private final Ports ports;
    private final Path log;
    private final Thread stopWithThisProgram = new Thread(this::kill, "stop-broker");

    /** Where it listens: for clients, and for administrators. */
    record Ports(int binary, int http) {
        static Ports free() throws IOException {
            return new Ports(BrokerProgram.freePort(), BrokerProgram.freePort());
        }
    }

    private RunningBroker(Process process, Ports ports, Path log) {
        this.process = process;
        this.ports = ports;
        this.log = log;
        Runtime.getRuntime().addShutdownHook(stopWithThisProgram);
    }

    /** Executes the command with its output in a file of the folder. */
    static RunningBroker start(ProcessBuilder command, Ports ports, Path folder) throws IOException {
        Path log = folder.resolve("output.log");
        command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new RunningBroker(command.start(), ports, log);
    }

    int port() {
        return ports.binary();
    }

    String url() {
        return "pulsar://127.0.0.1:" + ports.binary();
    }

    String httpUrl() {
        return "http://127.0.0.1:" + ports.http();
    }

    /** Throws when it has exited, with the place of its output. */
    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("The broker exited with " + process.exitValue() + ", see " + log);
        }
    }

    /** Processor time it has used so far, of all its threads. */
    Duration cpuTime() {
        return java().info().totalCpuDuration().orElseThrow();
    }

    /** Processor time so far by the names of its threads, their numbers left out; of those that still run. */
    Map<String, Duration> cpuTimeOfThreads() throws IOException {
        Map<String, Duration> times = new TreeMap<>();
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(Path.of("/proc", String.valueOf(java().pid()), "task"))) {
            for (Path task : tasks) {
                String stat = Files.readString(task.resolve("stat"));
                int nameEnd = stat.lastIndexOf(')');
                String[] fields = stat.substring(nameEnd + 2).split(" ", -1);
                String name = stat.substring(stat.indexOf('(') + 1, nameEnd).replaceAll("[-#\\d]+$", "");
                long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
                times.merge(name, Duration.ofMillis(ticks * MILLIS_A_TICK), Duration::plus);
            }
        }
        return times;
    }

    /** Bytes of the objects that its heap still holds after a collection. */
    long liveHeapBytes() throws IOException {
        String jcmd = Path.of(java().info().command().orElseThrow())
                .resolveSibling("jcmd")
                .toString();
        Process histogram = new ProcessBuilder(jcmd, String.valueOf(java().pid()), "GC.class_histogram").start();
        return new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("Total"))
                .mapToLong(line -> Long.parseLong(line.trim().split("\\s+", -1)[2]))
                .findFirst()
                .orElseThrow();
    }

    /** Resident memory in bytes. */
    long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(java().pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Files and sockets it has open. */
    long openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", String.valueOf(java().pid()), "fd"))) {
            return descriptors.count();
        }
    }

    /** Ends it as a power cut would, and waits until it is gone. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Ends it as an operator would; one that does not go in time is killed. */
    @Override
    public void close() {
        java().destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS)
                .join();
        if (process.isAlive()) {
            kill();
        }
        Runtime.getRuntime().removeShutdownHook(stopWithThisProgram);
    }

    private ProcessHandle java() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElse(process.toHandle());
    }
}
