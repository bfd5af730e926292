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
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dependencies between modules and between rooms point one way: one order over all rooms, so that no two know each other. */
class LayersTest {
    private static final String ROOT = "io.millrace.";
    /** Every room of every module: it may use those that stand below it, and nobody else. */
    private static final List<String> TOP_TO_BOTTOM = List.of(
            "benchmarks",
            "benchmarks.actor",
            "benchmarks.dispatch",
            "benchmarks.schedule",
            "benchmarks.operators",
            "benchmarks.everyday",
            "benchmarks.stages",
            "benchmarks.engine",
            "benchmarks.hub",
            "benchmarks.process",
            "benchmarks.junit",
            "benchmarks.jmh",
            "benchmarks.report",
            "cli",
            "cli.admin",
            "cli.standalone",
            "cli.schema",
            "cli.exit",
            "cli.log",
            "spring",
            "quarkus",
            "junit",
            "broker",
            "broker.admin",
            "broker.protocol",
            "broker.namespace",
            "broker.schema",
            "broker.topic",
            "broker.dispatch",
            "broker.log",
            "broker.http",
            "broker.memory",
            "broker.setting",
            "broker.inspect",
            "wire",
            "avro",
            "testkit",
            "streams",
            "streams.hub.stage",
            "streams.operator.failures",
            "streams.operator.substreams",
            "streams.operator.sinks",
            "streams.operator.interop",
            "streams.operator.bytes",
            "streams.operator.junctions",
            "streams.operator.timing",
            "streams.operator.futures",
            "streams.operator.elements",
            "streams.operator.sources",
            "streams.operator",
            "streams.engine.plan",
            "streams.engine.segment",
            "streams.engine.island",
            "streams.engine.batch",
            "streams.engine.pool",
            "streams.engine.failure",
            "streams.stage",
            "streams.hub",
            "streams.inspect",
            "streams.graph",
            "streams.failure",
            "streams.schedule");

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
    void everyRoomStandsInTheOrder() {
        Set<String> rooms = new TreeSet<>();
        house.forEach(type -> rooms.add(type.getPackageName()));
        rooms.removeIf(room -> room.endsWith(".jmh_generated")); // written by JMH, not by hand
        rooms.removeIf(room -> room.startsWith(ROOT + "avro.")); // the rooms of Avro and Jackson
        rooms.removeIf(room -> room.startsWith(ROOT + "wire.")); // those of Pulsar
        assertThat(rooms)
                .as("TOP_TO_BOTTOM lists every room, so that each new one gets its place")
                .containsExactlyInAnyOrderElementsOf(
                        TOP_TO_BOTTOM.stream().map(room -> ROOT + room).toList());
    }

    @Test
    void roomsDependOnRoomsBelowThemOnly() {
        for (int i = 1; i < TOP_TO_BOTTOM.size(); i++) {
            neverDepends(TOP_TO_BOTTOM.get(i), TOP_TO_BOTTOM.subList(0, i).toArray(new String[0]))
                    .check(house);
        }
    }

    @Test
    void theBrokerIsAUserOfTheLibraryLikeAnyOther() {
        neverDepends("broker..", "streams.engine..", "streams.operator..", "streams.hub.stage")
                .check(house);
        neverDepends("cli..", "streams.engine..", "streams.operator..", "streams.hub.stage")
                .check(house);
        neverDepends("testkit..", "streams.engine..", "streams.operator..", "streams.hub.stage")
                .check(house);
    }

    @Test
    void theCommandLineSeesTheBrokersFrontDoor() {
        neverDepends(
                        "cli..",
                        "broker.admin..",
                        "broker.http..",
                        "broker.protocol..",
                        "broker.namespace..",
                        "broker.schema..",
                        "broker.topic..",
                        "broker.dispatch..",
                        "broker.log..",
                        "broker.memory..",
                        "broker.setting..")
                .check(house);
    }

    @Test
    void usersTestsSeeTheBrokersFrontDoorAndWhatItTells() {
        for (String module : List.of("junit..", "spring..")) {
            neverDepends(
                            module,
                            "broker.admin..",
                            "broker.http..",
                            "broker.protocol..",
                            "broker.dispatch..",
                            "broker.memory..",
                            "broker.setting..",
                            "streams..",
                            "wire..")
                    .check(house);
        }
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
