package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.millrace.testkit.Behaviour;
import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The annotation works where there is no Pulsar client, and a JVM that JUnit leaves closes its broker. */
class WithoutAClientTest {
    @TempDir
    Path folder;

    @Test
    @Behaviour("TST-1")
    void aProgramWithoutTheClientRunsItsTests() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("pulsar-client"))
                .collect(Collectors.joining(File.pathSeparator));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        classPath,
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String printed = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(folder).as("the broker's folder is gone").isDirectoryNotContaining("glob:**millrace-*");
    }

    @Millrace
    static class Plain {
        @Millrace
        MillraceService field;

        @Test
        void isServed(MillraceService service) {
            assertThat(service).isSameAs(field);
            assertThat(service.serviceUrl()).startsWith("pulsar://127.0.0.1:");
        }
    }

    /** Runs {@link Plain} by JUnit's launcher. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            try (LauncherSession session = LauncherFactory.openSession()) {
                Launcher launcher = session.getLauncher();
                launcher.execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Plain.class))
                                .build(),
                        summary);
            }
            summary.getSummary().printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
            System.exit(summary.getSummary().getTestsSucceededCount() == 1 ? 0 : 1);
        }
    }
}
