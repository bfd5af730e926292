package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Consumers cost little enough that a hundred thousand of them fit into a heap of 512 MB, ten thousand into a tenth. */
class ManyConsumersTest {
    private static final boolean DEEP = Boolean.getBoolean("millrace.deep");
    private static final int CONSUMERS = DEEP ? 100_000 : 10_000;
    private static final int HEAP_MEGABYTES = DEEP ? 512 : 52;

    @Test
    @Behaviour("BHUB-4")
    void everyoneOfVeryManyConsumersGetsEverythingInLittleMemory() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MEGABYTES + "m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManyConsumersProgram.class.getName(),
                        String.valueOf(CONSUMERS))
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor(1, TimeUnit.MINUTES)).as("it has ended").isTrue();
            assertThat(program.exitValue()).as(output).isZero();
        } finally {
            program.destroyForcibly();
        }
    }
}
