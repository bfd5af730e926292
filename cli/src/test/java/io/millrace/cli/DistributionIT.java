package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people download: unpacked anywhere, its launcher needs a Java and nothing else. */
@Timeout(120)
final class DistributionIT {
    private static final String VERSION = System.getProperty("millrace.version");

    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void unpack() throws Exception {
        assertThat(run("tar", "-xzf", System.getProperty("millrace.distribution"), "-C", folder.toString()))
                .isEmpty();
        home = folder.resolve("millrace-" + VERSION);
    }

    @Test
    void itHasALauncherAJarAndWhatBelongsToThem() throws Exception {
        for (String name : List.of("lib/millrace.jar", "conf/millrace.properties", "LICENSE", "NOTICE")) {
            assertThat(home.resolve(name)).isNotEmptyFile();
        }
        assertThat(launcher("--version")).contains(VERSION);
    }

    @Test
    void theArchiveIsTheUsersWhereTheDistributionTakesNone() throws Exception {
        Files.writeString(home.resolve("lib/archives"), "no folder");
        assertThat(launcher("--version")).contains(VERSION);
        assertThat(folder.resolve("cache/millrace")).isNotEmptyDirectory();
    }

    /** A container would copy the whole file of its image. */
    @Test
    void anArchiveBesideTheJarIsLeftAsItIs() throws Exception {
        assertThat(launcher("--version")).contains(VERSION);
        Path client;
        try (Stream<Path> all = Files.list(home.resolve("lib/archives"))) {
            client = all.filter(file -> file.toString().endsWith("-client"))
                    .findFirst()
                    .orElseThrow();
        }
        FileTime before = FileTime.from(Instant.now().minus(Duration.ofDays(29)));
        Files.setLastModifiedTime(client, before);
        assertThat(launcher("--version")).contains(VERSION);
        assertThat(Files.getLastModifiedTime(client).toMillis() / 1000).isEqualTo(before.toMillis() / 1000);
    }

    /** Two versions that are started in turn each find theirs. */
    @Test
    void archivesOfOtherVersionsStayWhileTheyAreInUseAndAFew() throws Exception {
        Files.writeString(home.resolve("lib/archives"), "no folder");
        Path archives = Files.createDirectories(folder.resolve("cache/millrace"));
        Path unused = archiveOf(archives, 0, 31);
        List<Path> others = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            others.add(archiveOf(archives, i, i));
        }
        assertThat(launcher("--version")).contains(VERSION);
        assertThat(unused).doesNotExist();
        assertThat(others.subList(0, 6)).allMatch(Files::exists);
        assertThat(others.subList(6, 8)).noneMatch(Files::exists);
        List<Path> own;
        try (Stream<Path> all = Files.list(archives)) {
            own = all.filter(file -> !others.contains(file)).toList();
        }
        assertThat(own).hasSize(2);
        Path client = own.stream()
                .filter(file -> file.toString().endsWith("-client"))
                .findFirst()
                .orElseThrow();
        FileTime before = FileTime.from(Instant.now().minus(Duration.ofDays(29)));
        Files.setLastModifiedTime(client, before);
        assertThat(launcher("--version")).contains(VERSION);
        assertThat(Files.getLastModifiedTime(client)).isGreaterThan(before);
    }

    /** Of another jar, and so many days old. */
    private static Path archiveOf(Path archives, int number, int days) throws IOException {
        Path archive = Files.writeString(archives.resolve("100" + number + "-1-17.0.1-client"), "archive");
        return Files.setLastModifiedTime(archive, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        String script = Files.readString(home.resolve("completion/millrace.bash"));
        assertThat(launcher("completion")).isEqualTo(script);
        String asked =
                script + "\nCOMP_WORDS=(millrace con); COMP_CWORD=1; _complete_millrace; echo \"${COMPREPLY[*]}\"";
        assertThat(run("bash", "-c", asked)).contains("consume").doesNotContain("produce");
        assertThat(run("bash", "-c", script + "\ncomplete -p millrace")).contains("_complete_millrace");
    }

    private String launcher(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/millrace").toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /** What a command prints, which ends well and says nothing on stderr. */
    private String run(String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder = Millrace.underTest(new ProcessBuilder(command))
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("MILLRACE_JAR");
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the command ended: %s", Stream.of(command).findFirst())
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(err)).isZero();
            assertThat(Files.readString(err)).isEmpty();
            return Files.readString(out);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
