package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.docs.tidy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README's two set-up commands: the programs are there, and CI runs the same tests that a newcomer runs. */
class ReadmeTest {
    @Test
    void twoCommandsSetAFreshMachineUpAndCiRunsTheSecond() throws IOException {
        Path root = Repository.open().root();
        List<String> commands = commands(Files.readString(root.resolve("README.md")));
        assertThat(commands).containsExactly("bin/millrace serve", "mvn -B verify");
        assertThat(Files.readAllLines(root.resolve(".ci/run")).stream().map(String::strip))
                .contains(commands.get(1));
    }

    @Test
    void theProgramsThatThePagesNameCanBeExecuted() throws IOException {
        Path root = Repository.open().root();
        assertThat(List.of(".ci/run", "bin/bench", "bin/matrix", "bin/millrace", "bin/release"))
                .allSatisfy(program -> assertThat(root.resolve(program)).isExecutable());
    }

    /** The commands of the first shell block, without what follows a #. */
    private static List<String> commands(String readme) {
        String block = readme.substring(readme.indexOf("```sh\n") + 6);
        return block.substring(0, block.indexOf("```"))
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .toList();
    }
}
