package io.millrace.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of {@code bin/millrace} on the jar under test; ended by force when closed. */
final class Millrace implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Process process;
    private final Path out;
    private final Path err;

    private Millrace(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts a command whose stdin is a file; its outputs go to files beside each other in {@code folder}. */
    static Millrace start(Path folder, Redirect in, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("millrace.launcher"));
        command.addAll(Arrays.asList(arguments));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        return new Millrace(underTest(builder).start(), out, err);
    }

    /** Has the process, if it starts the launcher, run the jar under test on this Java. */
    static ProcessBuilder underTest(ProcessBuilder builder) {
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MILLRACE_JAR", System.getProperty("millrace.jar"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return builder;
    }

    static Millrace start(Path folder, String... arguments) throws IOException {
        return start(folder, Redirect.from(Path.of("/dev/null").toFile()), arguments);
    }

    /** Runs a command to its end with {@code input} on stdin. */
    static Millrace run(Path folder, byte[] input, String... arguments) throws IOException {
        Path in = Files.createTempFile(folder, "in", ".txt");
        Files.write(in, input);
        Millrace run = start(folder, Redirect.from(in.toFile()), arguments);
        run.exitCode();
        return run;
    }

    static Millrace run(Path folder, String... arguments) throws IOException {
        return run(folder, new byte[0], arguments);
    }

    /** Waits for the end; a process that does not end in time is an error that shows its stderr. */
    int exitCode() {
        try {
            if (process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a command", e);
        }
        throw new AssertionError("the command did not end within " + LIMIT + "; its stderr: " + err());
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL, and its effect. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    Path outFile() {
        return out;
    }

    String out() {
        return text(out);
    }

    String err() {
        return text(err);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        kill();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
