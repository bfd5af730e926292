package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program on the class path of the tests in a JVM of its own, whose heap and threads no other test has used. */
public final class OwnJvm {
    private static final long MINUTES = 5;

    private OwnJvm() {}

    /** Fails with what the program has printed unless it ends with 0. */
    public static void assertSucceeds(Class<?> program, List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> output(process));
        boolean hasEnded = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.toHandle().destroyForcibly(); // which leaves what it printed to be read
        process.waitFor();
        String printed = output.get(MINUTES, TimeUnit.MINUTES);
        System.out.print(printed);
        assertThat(hasEnded).as("it has ended; it printed: %s", printed).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
    }

    private static String output(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
