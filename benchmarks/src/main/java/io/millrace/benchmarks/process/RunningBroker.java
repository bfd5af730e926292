package io.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker process that this program started, and what the system says about it. */
final class RunningBroker implements AutoCloseable {
    private static final long STOP_SECONDS = 20;

    private final Process process;
    private final int port;
    private final Path log;
    private final Thread stopWithThisProgram = new Thread(this::kill, "stop-broker");

    private RunningBroker(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
        Runtime.getRuntime().addShutdownHook(stopWithThisProgram);
    }

    /** Executes the command with its output in a file of the folder. */
    static RunningBroker start(ProcessBuilder command, int port, Path folder) throws IOException {
        Path log = folder.resolve("output.log");
        command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new RunningBroker(command.start(), port, log);
    }

    int port() {
        return port;
    }

    String url() {
        return "pulsar://127.0.0.1:" + port;
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
