package io.millrace.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.compatibility.compare.Difference;
import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.scenario.Run;
import io.millrace.compatibility.scenario.Scenario;
import io.millrace.compatibility.scenario.Target;
import io.millrace.compatibility.scenario.Theme;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every scenario tells the same of Millrace as is recorded of Pulsar, but for the list of intended differences. Those that a
 * busy machine could spoil are for the deep profile.
 */
class RecordedTranscriptsTest {
    private static final boolean IS_DEEP = Boolean.getBoolean("millrace.deep");
    private static final long JOURNAL_FILE_BYTES = 8 << 20;
    private static final int JOURNAL_FILES = 3;
    private static final Recordings RECORDINGS =
            new Recordings(ModuleFolder.find().resolve("transcripts"));

    @TempDir
    static Path data;

    private static Map<String, Map<String, String>> recorded;
    private static Map<String, Map<String, String>> told;
    private static List<Difference> differences;
    private static IntendedDifferences intended;
    private static Set<String> called;

    @BeforeAll
    static void runAll() throws Exception {
        List<Scenario> scenarios = (IS_DEEP ? Catalogue.themes() : Catalogue.themesForAnyMachine())
                .stream().flatMap(theme -> theme.scenarios().stream()).toList();
        intended = IntendedDifferences.read(ModuleFolder.find().resolve("differences.txt"))
                .of(scenarios.stream().map(Scenario::name).toList());
        recorded = Told.recorded(RECORDINGS);
        BrokerConfig config = BrokerConfig.defaults(data).withPort(0).withHttpPort(0);
        config = config.withLog(config.log().withJournal(JOURNAL_FILE_BYTES, JOURNAL_FILES));
        try (Broker broker = Broker.start(config)) {
            Run run = new Run(new Target(broker.serviceUrl(), broker.httpServiceUrl()));
            told = Told.by(run, scenarios);
            called = run.called().names().stream().map(AdminMethods::plain).collect(Collectors.toSet());
        }
        differences = Difference.between(Told.only(recorded, told::containsKey), told);
    }

    @TestFactory
    Stream<DynamicTest> everyScenarioTellsWhatPulsarTold() {
        return told.keySet().stream()
                .map(scenario -> dynamicTest(scenario, () -> {
                    assertThat(recorded)
                            .as("what Pulsar told is recorded by bin/compare --record")
                            .containsKey(scenario);
                    assertThat(intended.unlisted(differences).stream()
                                    .filter(difference -> difference.scenario().equals(scenario)))
                            .as("differences that compatibility/differences.txt does not list")
                            .isEmpty();
                }));
    }

    @Test
    void everyIntendedDifferenceIsStillThere() {
        assertThat(intended.unneeded(differences)).isEmpty();
    }

    @Test
    void everyMethodOfTheAdminClientIsCalledButThoseOfOneList() throws Exception {
        assertThat(AdminMethods.all().stream().filter(method -> !called.contains(method)))
                .as("methods that no scenario calls: write one, or give the reason in compatibility/not-called.txt")
                .containsExactlyInAnyOrderElementsOf(
                        AdminMethods.notCalled(ModuleFolder.find().resolve("not-called.txt")));
    }

    @Test
    void everyRecordedTranscriptHasItsScenario() throws Exception {
        assertThat(Catalogue.scenarios().stream().map(Scenario::name)).containsAll(recorded.keySet());
        assertThat(RECORDINGS.themes())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Catalogue.themes().stream().map(Theme::name), OtherLanguages.files().stream())
                                .toList());
    }
}
