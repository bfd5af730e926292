package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The samples are run by this test alone. */
class TestOutputTest {
    private static final String LINE = System.lineSeparator();

    @TempDir
    Path folder;

    static class Passing {
        @Test
        void prints() {
            System.out.println("a word of one that passes");
            System.err.println("an error of one that passes");
        }
    }

    static class Failing {
        @BeforeEach
        void prepare() {
            System.out.println("preparing");
        }

        @Test
        void passes() {
            System.out.println("not of interest");
        }

        @ParameterizedTest
        @ValueSource(ints = 7)
        void fails(int number) throws InterruptedException {
            Thread other = new Thread(() -> System.err.println("from another thread"));
            other.start();
            other.join();
            throw new IllegalStateException("number " + number, new IOException("the cause"));
        }
    }

    static class Silent {
        @Test
        void fails() {
            throw new IllegalStateException("no word of it");
        }
    }

    static class Unprepared {
        @BeforeAll
        static void prepare() {
            System.out.println("preparing all");
            throw new IllegalStateException("not prepared");
        }

        @Test
        void neverRuns() {}
    }

    static class Loud {
        @Test
        void fails() {
            System.out.println("the first line");
            for (int i = 0; i < 100_000; i++) {
                System.out.println("line " + i);
            }
            throw new IllegalStateException("loud");
        }
    }

    /** What stood on the console while these classes ran. */
    private String console(Path output, Class<?>... samples) {
        PrintStream before = System.out;
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        PrintStream during = new PrintStream(console, true, StandardCharsets.UTF_8);
        System.setOut(during);
        try {
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
            for (Class<?> sample : samples) {
                request.selectors(selectClass(sample));
            }
            request.configurationParameter("millrace.testkit.output", output == null ? "" : output.toString());
            LauncherConfig config = LauncherConfig.builder()
                    .enableTestExecutionListenerAutoRegistration(false)
                    .addTestExecutionListeners(new TestOutput())
                    .build();
            LauncherFactory.create(config).execute(request.build());
            assertThat(System.out).as("the console is given back").isSameAs(during);
        } finally {
            System.setOut(before);
        }
        return console.toString(StandardCharsets.UTF_8);
    }

    private Path file(Class<?> sample) {
        return folder.resolve(sample.getName() + ".txt");
    }

    @Test
    void testsThatPassPrintToTheirFileAlone() throws Exception {
        assertThat(console(folder, Passing.class)).isEmpty();
        assertThat(Files.readAllLines(file(Passing.class)))
                .containsExactly(
                        "== " + Passing.class.getName() + " > prints()",
                        "a word of one that passes",
                        "an error of one that passes");
    }

    @Test
    void aTestThatFailsShowsItsFailureAndWhatItPrintedItself() throws Exception {
        String console = console(folder, Passing.class, Failing.class);
        String title = "FAILED " + Failing.class.getName() + " > fails(int) > [1] 7";
        assertThat(console)
                .startsWith(title + LINE + "java.lang.IllegalStateException: number 7" + LINE)
                .contains("Caused by: java.io.IOException: the cause")
                .endsWith("-- it printed (the whole class: " + file(Failing.class) + ")" + LINE + "preparing" + LINE
                        + "from another thread" + LINE + "-- end of " + title + LINE)
                .doesNotContain("passes");
        assertThat(Files.readString(file(Failing.class))).contains("not of interest", title, "the cause");
    }

    @Test
    void aTestThatPrintsNothingSaysSo() {
        assertThat(console(folder, Silent.class)).contains("no word of it", "-- it printed nothing");
    }

    @Test
    void aClassThatCannotBePreparedShowsWhatItPrinted() {
        assertThat(console(folder, Unprepared.class))
                .startsWith("FAILED " + Unprepared.class.getName() + LINE)
                .contains("not prepared", "preparing all");
    }

    @Test
    void ofVeryMuchTheEndIsShown() throws Exception {
        String console = console(folder, Loud.class);
        assertThat(console).contains("-- it printed at last", "line 99999").doesNotContain("the first line");
        assertThat(console.length()).isLessThan(300_000);
        assertThat(Files.readString(file(Loud.class))).contains("the first line");
    }

    @Test
    void withoutAFolderTheConsoleIsLeftAlone() {
        assertThat(console(null, Passing.class)).contains("a word of one that passes");
    }
}
