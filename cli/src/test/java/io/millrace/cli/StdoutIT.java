package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands say of which nothing, or not all, could be printed. */
@Timeout(120)
final class StdoutIT {
    private static final String LAUNCHER = "\"$LAUNCHER\"";

    @TempDir
    private Path folder;

    @Test
    void whatADiskHasNoRoomForIsAFailure() throws Exception {
        for (String command : List.of("--help", "completion")) {
            assertThat(exitCode(LAUNCHER + " " + command + " >/dev/full")).isEqualTo(1);
            assertThat(err()).startsWith("millrace: cannot write to stdout: No space");
        }
    }

    @Test
    void whatNobodyReadsAnyMoreEndsAsByTheSignal() throws Exception {
        String toNobody = "mkfifo pipe && exec 3<>pipe 4>pipe 3<&- && " + LAUNCHER + " --help >&4";
        assertThat(exitCode(toNobody)).isEqualTo(141);
        assertThat(err()).isEmpty();
    }

    @Test
    void aFailureOfItsOwnIsWhatItEndsWith() throws Exception {
        assertThat(exitCode(LAUNCHER + " check none >/dev/full")).isEqualTo(1);
        assertThat(err()).contains("is no data folder");
    }

    @Test
    void aMessageThatCannotBePrintedIsToldOnce() throws Exception {
        try (ServedBroker broker = ServedBroker.start(folder)) {
            String url = " --url " + broker.url();
            assertThat(exitCode("echo line | " + LAUNCHER + " produce t" + url)).isZero();
            String consume = " consume t --subscription s --from earliest --count 1";
            assertThat(exitCode(LAUNCHER + consume + url + " >/dev/full")).isEqualTo(1);
            assertThat(err()).startsWith("millrace: ").contains("No space").hasLineCount(1);
        }
    }

    private int exitCode(String script) throws Exception {
        ProcessBuilder builder = Millrace.underTest(new ProcessBuilder("bash", "-c", script))
                .directory(folder.toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put("LAUNCHER", System.getProperty("millrace.launcher"));
        return builder.start().waitFor();
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err.txt"));
    }
}
