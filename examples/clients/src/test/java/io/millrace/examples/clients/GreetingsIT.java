package io.millrace.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker beside the client in one JVM: as modules and on the class path, whichever comes first there. */
class GreetingsIT {
    private static final String ALL =
            "received: [hello 0, hello 1, hello 2, hello 3, hello 4, hello 5, hello 6, hello 7, hello 8, hello 9]";
    private static final String RECEIPT = "first receipt after ms: ";
    private static final String JDK = String.valueOf(Runtime.version().feature());
    private static final Path TARGET = Path.of(System.getProperty("target"));
    private static final Path FIGURES = TARGET.resolve("start-up-" + JDK);

    /** The jars of Millrace and what they need. */
    private static List<String> millrace;
    /** The program, the client and what that needs beyond those. */
    private static List<String> others;

    @TempDir
    Path folder;

    @BeforeAll
    static void readPaths() throws IOException {
        Files.deleteIfExists(FIGURES);
        millrace = paths(Files.readString(TARGET.resolve("module-path")).strip());
        others = paths(System.getProperty("java.class.path"));
        others.removeAll(millrace);
        assertThat(millrace).anyMatch(jar -> jar.contains("millrace-broker")).allMatch(jar -> jar.endsWith(".jar"));
        assertThat(others).anyMatch(jar -> jar.contains("pulsar-client"));
    }

    @Test
    @Behaviour("PRO-12")
    void theBrokerIsMadeOfModules() throws Exception {
        List<String> printed =
                run("modules", "-p", path(millrace), "--add-modules", "ALL-MODULE-PATH", "-cp", path(others));
        assertThat(printed)
                .contains("the broker's module: module io.millrace.broker")
                .anyMatch(line -> line.startsWith("the client's module: unnamed module"));
    }

    @Test
    @Behaviour("PRO-12")
    void theClientComesFirst() throws Exception {
        run("client first", "-cp", path(others, millrace));
    }

    @Test
    @Behaviour("PRO-12")
    void theBrokerComesFirst() throws Exception {
        run("broker first", "-cp", path(millrace, others));
    }

    /** Runs the program with these paths and notes how long it took to its first receipt. */
    private List<String> run(String arrangement, String... paths) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(paths));
        command.add(Greetings.class.getName());
        command.add(folder.resolve("data").toString());
        command.add(String.valueOf(System.currentTimeMillis()));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> printed = Files.readAllLines(output, UTF_8);
        assertThat(process.exitValue()).as(String.join("\n", printed)).isZero();
        assertThat(printed).contains(ALL);
        note(arrangement, printed);
        return printed;
    }

    private static void note(String arrangement, List<String> printed) throws IOException {
        String millis = printed.stream()
                .filter(line -> line.startsWith(RECEIPT))
                .map(line -> line.substring(RECEIPT.length()))
                .findFirst()
                .orElseThrow();
        Files.writeString(
                FIGURES,
                String.format("| %s | %s | %s | %s |%n", System.getProperty("client"), arrangement, JDK, millis),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static List<String> paths(String joined) {
        return new ArrayList<>(Arrays.stream(joined.split(File.pathSeparator))
                .filter(Predicate.not(String::isBlank))
                .toList());
    }

    @SafeVarargs
    private static String path(List<String>... parts) {
        return String.join(
                File.pathSeparator, Stream.of(parts).flatMap(List::stream).toList());
    }
}
