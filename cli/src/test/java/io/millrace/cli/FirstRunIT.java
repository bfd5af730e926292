package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first run of a jar, which makes its class archives, and what a signal leaves of it. */
@Timeout(120)
final class FirstRunIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int AOT_JDK = 25;
    private static final Map<String, Integer> CODES = Map.of("HUP", 129, "INT", 130, "TERM", 143);

    @TempDir
    private Path folder;

    private Path jar;
    private Process run;
    private List<ProcessHandle> started = List.of();

    @BeforeEach
    void aJarWithoutArchives() throws IOException {
        jar = Files.createDirectory(folder.resolve("lib")).resolve("millrace.jar");
        Files.copy(Path.of(System.getProperty("millrace.jar")), jar);
        Files.createDirectory(folder.resolve("tmp"));
    }

    @AfterEach
    void end() {
        started.forEach(ProcessHandle::destroyForcibly);
        if (run != null) {
            run.descendants().forEach(ProcessHandle::destroyForcibly);
            run.destroyForcibly();
        }
    }

    @Test
    void itMakesWholeArchivesAndLeavesNothingElse() throws Exception {
        run = start(Path.of(System.getProperty("java.home")));
        assertThat(run.waitFor()).isZero();
        assertThat(names("lib/archives"))
                .hasSize(2)
                .allMatch(name -> name.endsWith("-serve") || name.endsWith("-client"));
        for (Path archive : files("lib/archives")) {
            assertThat(archive).isNotEmptyFile();
        }
        assertThat(names("tmp")).isEmpty();
        assertThat(Files.readString(folder.resolve("err.txt"))).isEmpty();
    }

    @Test
    void aCollectorOfTheUsersIsTaken() throws Exception {
        for (String by : List.of("JAVA_OPTS", "JAVA_TOOL_OPTIONS")) {
            run = builder(
                            Path.of(System.getProperty("java.home")),
                            by,
                            by.equals("JAVA_OPTS") ? "-XX:+UseG1GC" : "-XX:+UseParallelGC")
                    .start();
            assertThat(run.waitFor())
                    .as(Files.readString(folder.resolve("err.txt")))
                    .isZero();
        }
    }

    @Test
    void aJavaThatDoesNotRunIsToldWithWhatItSays() throws Exception {
        Path java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/usr/bin/env bash\necho there is no Java here >&2\nexit 1\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        run = start(folder.resolve("java"));
        assertThat(run.waitFor()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("err.txt")))
                .startsWith("millrace: ")
                .contains("there is no Java here");
    }

    /** {@code during} is an argument of the process that is waited for when the signal comes, and that has stopped itself until then. */
    @ParameterizedTest
    @CsvSource({
        "TERM, standalone",
        "TERM, produce",
        "TERM, consume",
        "TERM, -XX:AOTMode=create",
        "INT, standalone",
        "INT, consume",
        "HUP, standalone"
    })
    void aSignalEndsItWithAllThatItStarted(String signal, String during) throws Exception {
        assumeThat(during.startsWith("-XX:AOT") && Runtime.version().feature() < AOT_JDK)
                .as("whether this Java has other archives")
                .isFalse();
        run = start(javaThatStopsItself(during));
        ProcessHandle training = awaitStopped(during);
        assumeThat(isIgnored(signal))
                .as("whether SIG" + signal + " is ignored here")
                .isFalse();
        started = run.descendants().toList();

        send(signal, run.toHandle());
        assertThat(run.waitFor()).isEqualTo(CODES.get(signal));

        assertThat(started).contains(training).noneMatch(ProcessHandle::isAlive);
        assertThat(names("tmp")).isEmpty();
        assertThat(names("lib/archives")).isEmpty();
        assertThat(Files.readString(folder.resolve("err.txt"))).isEmpty();
    }

    /** A home of Java whose {@code java}, with {@code argument} among its own, stops before it does anything. */
    private Path javaThatStopsItself(String argument) throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path other = Files.createDirectories(folder.resolve("java"));
        Files.copy(home.resolve("release"), other.resolve("release"));
        Path java = Files.createDirectory(other.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/usr/bin/env bash
                for argument; do [[ $argument != '%s' ]] || kill -STOP $$; done
                exec '%s' "$@"
                """.formatted(argument, home.resolve("bin/java")));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return other;
    }

    private Process start(Path javaHome) throws IOException {
        return builder(javaHome).start();
    }

    private ProcessBuilder builder(Path javaHome, String... more) {
        ProcessBuilder builder = Millrace.underTest(
                        new ProcessBuilder(System.getProperty("millrace.launcher"), "--version"))
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("MILLRACE_JAR", jar.toString());
        builder.environment().put("TMPDIR", folder.resolve("tmp").toString());
        for (int i = 0; i < more.length; i += 2) {
            builder.environment().put(more[i], more[i + 1]);
        }
        return builder;
    }

    private static void send(String signal, ProcessHandle process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private ProcessHandle awaitStopped(String argument) throws Exception {
        AtomicReference<ProcessHandle> found = new AtomicReference<>();
        Await.until(
                LIMIT,
                () -> {
                    stopped(argument).findFirst().ifPresent(found::set);
                    return found.get() != null;
                },
                () -> "no process that stopped because of " + argument);
        return found.get();
    }

    private Stream<ProcessHandle> stopped(String argument) {
        return run.descendants()
                .filter(process -> List.of(process.info().arguments().orElse(new String[0]))
                        .contains(argument))
                .filter(process -> status(process, "State:").startsWith("T"));
    }

    /** Who was started in the background has some signals ignored, and so have those whom he starts. */
    private boolean isIgnored(String signal) {
        int number = CODES.get(signal) - 128;
        long mask = Long.parseUnsignedLong(status(run.toHandle(), "SigIgn:"), 16);
        return ((mask >> (number - 1)) & 1) != 0;
    }

    /** What the system says of a process; of one that has gone, nothing. */
    private static String status(ProcessHandle process, String name) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException gone) {
            return "";
        }
    }

    private List<Path> files(String below) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(below))) {
            return files.toList();
        }
    }

    private List<String> names(String below) throws IOException {
        return files(below).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .toList();
    }
}
