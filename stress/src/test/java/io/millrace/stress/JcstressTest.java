package io.millrace.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs every JCStress test of this module in JVMs of its own; its report is in target/jcstress. */
class JcstressTest {
    @Test
    @Behaviour({"SCH-1", "SCH-5", "SCH-6", "ACT-9"})
    void noForbiddenOutcomeIsSeen() throws Exception {
        Path folder = Files.createDirectories(Path.of("target/jcstress")).toAbsolutePath();
        Path log = folder.resolve("jcstress.log");
        Process jcstress = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        "org.openjdk.jcstress.Main",
                        "-m",
                        "quick",
                        "-r",
                        folder.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jcstress.waitFor(20, TimeUnit.MINUTES)).isTrue();
        } finally {
            jcstress.destroyForcibly();
        }
        String said = Files.readString(log);
        assertThat(jcstress.exitValue()).as(said).isZero();
        assertThat(said)
                .containsPattern("(\\d+) planned; \\1 passed, 0 failed, 0 soft errs, 0 hard errs")
                .contains("Failed tests: No matches.", "Error tests: No matches.")
                .doesNotContain("FORBIDDEN");
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
