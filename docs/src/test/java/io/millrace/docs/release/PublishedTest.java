package io.millrace.docs.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.docs.tidy.Repository;
import io.millrace.docs.tidy.TextFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is published is one list: the BOM's, that of bin/release, and that of the modules which have a name for others. */
class PublishedTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(millrace-[a-z-]+)</artifactId>");
    private static final Pattern VERSION = Pattern.compile("(?m)^ {2}<version>(.+)</version>");
    private static final Pattern SHOWN_VERSION = Pattern.compile("<version>(.+)</version>");
    private static final Pattern EXAMPLES_VERSION = Pattern.compile("(?m)^ {2}<version>(.+)</version>"
            + "|<millrace.version>(.+)</millrace.version>|-clients</artifactId>\\s+<version>(.+)</version>");
    /** The command line is a program of its own: it is not published as a jar for others. */
    private static final String PROGRAM = "cli";

    private static Repository repository;

    @BeforeAll
    static void readRepository() throws IOException {
        repository = Repository.open();
    }

    @Test
    void theBomAndTheReleaseHaveTheModulesThatHaveAName() {
        TreeMap<String, String> artifactOfModule = new TreeMap<>();
        Set<String> names = new TreeSet<>();
        for (String module : between(text("pom.xml"), "<module>(.+)</module>")) {
            String pom = text(module + "/pom.xml");
            List<String> name = between(pom, "<module.name>(.+)</module.name>");
            if (!name.isEmpty() && !module.equals(PROGRAM)) {
                assertThat(names.add(name.get(0))).as(name.get(0)).isTrue();
                assertThat(pom).contains("<name>", "<description>");
                artifactOfModule.put(module, between(pom, ARTIFACT.pattern()).get(0));
            }
        }
        assertThat(artifactOfModule).hasSizeGreaterThanOrEqualTo(6);
        String bom = text("bom/pom.xml");
        assertThat(between(bom.substring(bom.indexOf("<dependencyManagement>")), ARTIFACT.pattern()))
                .containsExactlyInAnyOrderElementsOf(artifactOfModule.values());
        String jars = between(text("bin/release"), "(?m)^jars=\\((.+)\\)$").get(0);
        assertThat(Arrays.asList(jars.split(" "))).containsExactlyInAnyOrderElementsOf(artifactOfModule.keySet());
        assertThat(text("bin/release")).contains("modules=(. bom " + jars + ")");
    }

    @Test
    void examplesPagesAndTheBomNameTheVersionOfTheProject() {
        String version = firstOf(VERSION.matcher(text("pom.xml")));
        assertThat(firstOf(VERSION.matcher(text("bom/pom.xml")))).isEqualTo(version);
        for (TextFile file : repository.files()) {
            boolean isPage = file.path().equals("README.md") || file.path().startsWith("docs/guides/");
            if (file.path().startsWith("examples/") && file.path().endsWith("pom.xml")) {
                boolean isOfParent = file.path().startsWith("examples/clients/pulsar-client");
                assertThat(EXAMPLES_VERSION.matcher(file.text()).results())
                        .as(file.path())
                        .hasSize(isOfParent ? 1 : 2)
                        .allMatch(found -> found.group().contains(">" + version + "<"));
            } else if (isPage && file.isMarkdown()) {
                assertThat(between(file.text(), SHOWN_VERSION.pattern()))
                        .as(file.path())
                        .allMatch(version::equals);
            }
        }
    }

    private static String text(String path) {
        return repository.files().stream()
                .filter(file -> file.path().equals(path))
                .map(TextFile::text)
                .collect(Collectors.joining());
    }

    private static List<String> between(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String firstOf(Matcher matcher) {
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
