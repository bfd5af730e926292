package io.millrace.examples.embed;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker beside the client in one JVM, whichever comes first on its class path. */
final class EmbeddedBrokerTest {
    private static final String ALL =
            "[hello 0, hello 1, hello 2, hello 3, hello 4, hello 5, hello 6, hello 7, hello 8, hello 9]";

    @TempDir
    Path folder;

    @Test
    @Behaviour("PRO-12")
    void theClientComesFirst() throws Exception {
        assertThat(Greetings.exchange(folder)).hasToString(ALL);
    }

    @Test
    @Behaviour("PRO-12")
    void theBrokerComesFirst() throws Exception {
        List<String> classPath = new ArrayList<>(
                Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator)));
        Collections.reverse(classPath);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(File.pathSeparator, classPath),
                        Greetings.class.getName(),
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String printed = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed).contains(ALL);
    }
}
