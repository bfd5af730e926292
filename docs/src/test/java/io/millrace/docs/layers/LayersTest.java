package io.millrace.docs.layers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.docs.tidy.Finding;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dependencies between modules and between rooms point one way. */
class LayersTest {
    private static final String ROOT = "io.millrace.";
    private static final ArchRule CLI_SEES_THE_BROKERS_FRONT_DOOR = neverDepends(
            "cli..", "broker.protocol..", "broker.topic..", "broker.dispatch..", "broker.log..", "broker.memory..");

    private static JavaClasses house;

    @BeforeAll
    static void importHouse() {
        house = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.millrace");
        assertThat(house).as("the modules are on the class path").isNotEmpty();
    }

    @Test
    void streamsStandsOnQueuesAndReactiveStreamsAlone() {
        classes()
                .that()
                .resideInAPackage(ROOT + "streams..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "streams..", "java..", "org.jctools..", "org.reactivestreams..", "org.jspecify..")
                .check(house);
    }

    @Test
    void modulesDependOnWhatStandsBelowThem() {
        neverDepends("streams..", "testkit..", "broker..", "cli..", "benchmarks..")
                .check(house);
        neverDepends("testkit..", "broker..", "cli..", "benchmarks..").check(house);
        neverDepends("broker..", "testkit..", "cli..", "benchmarks..").check(house);
        neverDepends("cli..", "testkit..", "benchmarks..").check(house);
    }

    @Test
    void theBrokerIsAUserOfTheLibraryLikeAnyOther() {
        neverDepends("broker..", "streams.engine..", "streams.operator..").check(house);
        neverDepends("cli..", "streams.engine..", "streams.operator..").check(house);
    }

    @Test
    void roomsOfTheBrokerDependDownwards() {
        neverDepends(
                        "broker.memory..",
                        "broker.log..",
                        "broker.dispatch..",
                        "broker.topic..",
                        "broker.protocol..",
                        "broker")
                .check(house);
        neverDepends("broker.log..", "broker.dispatch..", "broker.topic..", "broker.protocol..", "broker")
                .check(house);
        neverDepends("broker.dispatch..", "broker.topic..", "broker.protocol..", "broker")
                .check(house);
        neverDepends("broker.topic..", "broker.protocol..", "broker").check(house);
        neverDepends("broker.protocol..", "broker").check(house);
        CLI_SEES_THE_BROKERS_FRONT_DOOR.check(house);
    }

    @Test
    void timersKnowNothingOfStreams() {
        neverDepends(
                        "streams.schedule..",
                        "streams.graph..",
                        "streams.engine..",
                        "streams.operator..",
                        "streams.stage..")
                .check(house);
        neverDepends("streams.schedule..", "streams").check(house);
    }

    @Test
    void whatGraphsAreMadeOfStandsOnTimersAlone() {
        neverDepends("streams.graph..", "streams.engine..", "streams.operator..", "streams.stage..")
                .check(house);
        neverDepends("streams.graph..", "streams", "streams.inspect..").check(house);
    }

    @Test
    void whatIsSeenOfStreamsKnowsNothingOfWhatRunsThem() {
        neverDepends("streams.inspect..", "streams", "streams.engine..", "streams.operator..", "streams.stage..")
                .check(house);
    }

    @Test
    void threadsKnowNothingOfWhatRunsOnThem() {
        neverDepends(
                        "streams.engine.pool..",
                        "streams",
                        "streams.engine",
                        "streams.hub..",
                        "streams.inspect..",
                        "streams.operator..",
                        "streams.stage..")
                .check(house);
    }

    @Test
    void hubsAreNoPartOfTheFront() {
        neverDepends("streams.hub", "streams", "streams.hub.stage..", "streams.engine..", "streams.operator..")
                .check(house);
        neverDepends("streams.hub", "streams.stage..", "streams.inspect..").check(house);
        neverDepends("streams.hub.stage..", "streams", "streams.operator..").check(house);
        neverDepends("streams.engine..", "streams.hub..").check(house);
        neverDepends("streams.operator..", "streams.hub..").check(house);
        neverDepends("streams.stage..", "streams.hub..").check(house);
    }

    @Test
    void themesOfOperatorsDependDownwards() {
        List<String> themes = List.of(
                "failures",
                "substreams",
                "sinks",
                "interop",
                "bytes",
                "junctions",
                "timing",
                "futures",
                "elements",
                "sources");
        for (int i = 0; i < themes.size(); i++) {
            for (String above : themes.subList(0, i)) {
                neverDepends("streams.operator." + themes.get(i), "streams.operator." + above)
                        .check(house);
            }
            neverDepends("streams.operator", "streams.operator." + themes.get(i))
                    .check(house);
        }
        neverDepends("streams.engine..", "streams.operator..").check(house);
        neverDepends("streams.stage..", "streams.operator..").check(house);
    }

    @Test
    void aDependencyUpwardsIsFound() {
        JavaClasses samples = new ClassFileImporter().importClasses(Upward.class, LayersTest.class);
        ArchRule rule = neverDepends("docs.layers..", "docs.tidy..");
        assertThat(rule.evaluate(samples).hasViolation()).isTrue();
    }

    private static ArchRule neverDepends(String from, String... on) {
        String[] packages = new String[on.length];
        for (int i = 0; i < on.length; i++) {
            packages[i] = ROOT + on[i];
        }
        return noClasses()
                .that()
                .resideInAPackage(ROOT + from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .allowEmptyShould(true);
    }

    private record Upward(Finding finding) {}
}
