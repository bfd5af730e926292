package io.millrace.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.compare.Recordings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page for users says what the scenarios show. Run with {@code -DextraJvmArgs=-Dmillrace.docs.write=true} it writes that
 * part.
 */
class CompatibilityPageTest {
    private static final String START = "<!-- scenarios -->\n";
    private static final String END = "<!-- end of scenarios -->";
    private static final Pattern VERSION = Pattern.compile("<pulsar.version>(.+)</pulsar.version>");

    @Test
    void thePageIsMadeOfTheScenarios() throws Exception {
        Path module = ModuleFolder.find();
        Path file = module.resolveSibling("docs").resolve("compatibility.md");
        String page = Files.readString(file);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        assertThat(end).as("%s has its two marks", file).isGreaterThanOrEqualTo(start);
        String part = CompatibilityPage.render(
                IntendedDifferences.read(module.resolve("differences.txt")),
                new Recordings(module.resolve("transcripts")));
        String made = page.substring(0, start) + part + page.substring(end);
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(file, made);
        }
        assertThat(Files.readString(file))
                .as("%s is as the scenarios; write it with -DextraJvmArgs=-Dmillrace.docs.write=true", file)
                .isEqualTo(made);
    }

    @Test
    void thePulsarBesideIsOfTheReleaseOfTheClients() throws Exception {
        Path module = ModuleFolder.find();
        assertThat(version(module.resolve("pulsar").resolve("pom.xml")))
                .isEqualTo(version(module.resolveSibling("pom.xml")));
    }

    private static String version(Path pom) throws Exception {
        Matcher found = VERSION.matcher(Files.readString(pom));
        assertThat(found.find()).as("%s names the release", pom).isTrue();
        return found.group(1);
    }
}
