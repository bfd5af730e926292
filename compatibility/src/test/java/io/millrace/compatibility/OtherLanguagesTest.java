package io.millrace.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.compatibility.compare.Difference;
import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.language.LanguagePrograms;
import io.millrace.compatibility.scenario.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Every scenario in Python and Go tells the same of Millrace as is recorded of Pulsar, but for the list of intended differences. */
@EnabledIfSystemProperty(
        named = "millrace.compat",
        matches = "true",
        disabledReason = "-Pcompat runs it: it needs Python and Go")
class OtherLanguagesTest {
    @TempDir
    static Path data;

    private static Map<String, Map<String, String>> recorded;
    private static Map<String, Map<String, String>> told;
    private static List<Difference> differences;
    private static IntendedDifferences intended;

    @BeforeAll
    static void runAll() throws Exception {
        Path module = ModuleFolder.find();
        LanguagePrograms programs = new LanguagePrograms(module);
        programs.install();
        recorded = OtherLanguages.recorded(new Recordings(module.resolve("transcripts")));
        intended = IntendedDifferences.read(module.resolve("differences.txt")).of(recorded.keySet());
        try (Broker broker =
                Broker.start(BrokerConfig.defaults(data).withPort(0).withHttpPort(0))) {
            told = new OtherLanguages(programs).told(new Target(broker.serviceUrl(), broker.httpServiceUrl()), "");
        }
        differences = Difference.between(recorded, told);
    }

    @TestFactory
    Stream<DynamicTest> everyScenarioTellsWhatPulsarTold() {
        return Stream.concat(recorded.keySet().stream(), told.keySet().stream())
                .distinct()
                .map(scenario -> dynamicTest(
                        scenario,
                        () -> assertThat(intended.unlisted(differences).stream()
                                        .filter(difference ->
                                                difference.scenario().equals(scenario)))
                                .as("differences that compatibility/differences.txt does not list")
                                .isEmpty()));
    }

    @Test
    void everyIntendedDifferenceIsStillThere() {
        assertThat(intended.unneeded(differences)).isEmpty();
    }
}
