package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

@Timeout(120)
class MillraceExtensionTest {
    @BeforeEach
    void nothingIsSeen() {
        Samples.SEEN.clear();
        Samples.BROKERS.clear();
    }

    @AfterEach
    void closeWhatSamplesLeft() throws Exception {
        if (Samples.Careless.own != null) {
            Samples.Careless.own.close();
            Samples.Careless.own = null;
        }
        if (Samples.CarelessWithItsClient.own != null) {
            Samples.CarelessWithItsClient.own.close();
            Samples.CarelessWithItsClient.own = null;
        }
    }

    @Test
    @Behaviour("TST-1")
    void fieldsParametersAndNestedClassesGetTheBrokerOfTheirClass() {
        assertThat(failures(Samples.Everywhere.class)).isEmpty();
        assertThat(failures(Samples.FieldsAlone.class)).isEmpty();
        assertThat(failures(Samples.InsideAlone.class)).isEmpty();
    }

    @Test
    @Behaviour("TST-1")
    void anAdminClientIsOneForItsClassAndClosedWithIt() {
        assertThat(failures(Samples.Administered.class)).isEmpty();
        assertThat(Samples.SEEN.get("administered")).contains("test/io.millrace.junit.Samples.Administered");
        assertThatThrownBy(() -> Samples.Administered.ofAll.tenants().getTenants())
                .hasStackTraceContaining("closed");
    }

    @Test
    @Behaviour("TST-2")
    void classesShareTheBrokerOfTheJvmAndEachRunOfAClassHasANamespaceOfItsOwn() {
        assertThat(failures(Samples.Everywhere.class, Samples.Another.class)).isEmpty();
        String one = Samples.SEEN.get("everywhere");
        String other = Samples.SEEN.get("another");
        assertThat(failures(Samples.Another.class)).isEmpty();
        String again = Samples.SEEN.get("another");
        assertThat(Stream.of(one, other, again).map(service -> service.replaceAll(" .*", "")))
                .allMatch(one::startsWith);
        assertThat(Set.of(one, other, again)).hasSize(3);
        assertThat(other).contains("test/io.millrace.junit.Samples.Another");
    }

    @Test
    @Behaviour("TST-2")
    void aFreshBrokerForAClassIsAskedForAtItsFieldAndEndsWithIt() {
        assertThat(failures(Samples.OfAField.class)).isEmpty();
        String first = Samples.SEEN.get("field one");
        assertThat(first).isEqualTo(Samples.SEEN.get("field two")).endsWith("public/default");
        assertThat(failures(Samples.Another.class)).isEmpty();
        assertThat(Samples.SEEN.get("another")).doesNotEndWith("public/default");
    }

    @Test
    @Behaviour("TST-2")
    void aFreshBrokerForEachMethodIsNotThatOfAnother() {
        assertThat(failures(Samples.EachMethod.class)).isEmpty();
        assertThat(Samples.BROKERS).hasSize(3);
    }

    @Test
    @Behaviour("TST-2")
    void aClassInsideLeavesTheFieldsAroundItAlone() {
        assertThat(failures(Samples.OneInstance.class)).isEmpty();
        assertThat(failures(Samples.EachMethodWithOneInside.class)).isEmpty();
    }

    @Test
    @Behaviour("TST-4")
    void aFieldThatMethodsWouldSetForEachOtherIsRefused() {
        List<ClassSelector> sample = List.of(selectClass(Samples.OneInstanceForMethodsAtOnce.class));
        assertThat(texts(run(sample, true)))
                .singleElement()
                .asString()
                .contains("OneInstanceForMethodsAtOnce", "methods that run at once", "parameters");
        assertThat(texts(run(sample, false))).isEmpty();
    }

    @Test
    @Behaviour("TST-2")
    void aFolderThatIsNamedKeepsMessagesForTheNextRun() throws IOException {
        deleteTree(Path.of("target/durable"));
        assertThat(failures(Samples.Durable.class)).isEmpty();
        assertThat(Samples.SEEN.get("durable")).isEqualTo("1");
        assertThat(failures(Samples.Durable.class)).isEmpty();
        assertThat(Samples.SEEN.get("durable")).isEqualTo("2");
    }

    @Test
    @Behaviour("TST-3")
    void whatAClassLeftOpenIsToldByName() {
        assertThat(failures(Samples.Careless.class))
                .singleElement()
                .asString()
                .contains("Careless left open", "the client Pulsar-Java", "producer till of persistent://test/")
                .contains("consumer cook", "of kitchen on persistent://test/", "/orders");
    }

    @Test
    @Behaviour("TST-3")
    void aClientThatIsLeftOpenWithNothingInItIsToldAndTheInjectedOneIsNot() {
        assertThat(failures(Samples.CarelessWithItsClient.class))
                .singleElement()
                .asString()
                .contains("left open", "the client Pulsar-Java")
                .doesNotContain("consumer", "producer");
    }

    @Test
    @Behaviour("TST-3")
    void unacknowledgedMessagesAreReportedOnRequest() {
        EngineExecutionResults results = run(List.of(selectClass(Samples.Forgetful.class)), false);
        assertThat(results.allEvents().failed().count()).isZero();
        assertThat(results.allEvents().reportingEntryPublished().stream().map(Event::toString))
                .singleElement()
                .asString()
                .contains("subscription kitchen", "/orders", "sent and not acknowledged: 1");
    }

    @Test
    @Behaviour("TST-3")
    void whenNobodyCanSayWhatIsLeftOpenThatIsToldAndAllIsClosed() {
        assertThat(failures(Samples.WithoutAnswers.class))
                .singleElement()
                .asString()
                .contains("the broker is closing");
        assertThat(Samples.WithoutAnswers.given.isClosed()).isTrue();
        assertThat(Files.exists(Samples.WithoutAnswers.folder)).isFalse();
    }

    @Test
    @Behaviour("TST-3")
    void whatIsLeftOpenIsToldTogetherWithWhatCouldNotBeClosed() throws Exception {
        EngineExecutionResults results = run(List.of(selectClass(Samples.CarelessWithItsFolder.class)), false);
        try (PulsarClient own = Samples.CarelessWithItsFolder.own;
                UndeletableFolder folder = Samples.CarelessWithItsFolder.folder) {
            assertThat(Samples.CarelessWithItsFolder.given.isClosed()).isTrue();
            assertThat(own.isClosed()).isFalse();
            assertThat(throwables(results)).singleElement().satisfies(failure -> {
                assertThat(failure).hasMessageContaining("left open on its broker");
                assertThat(failure.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("could not be deleted", folder.folder().toString());
            });
        }
    }

    @Test
    @Behaviour("TST-4")
    void classesAndMethodsRunInParallel() {
        EngineExecutionResults results = run(
                Stream.of(Samples.BusyOne.class, Samples.BusyTwo.class, Samples.BusyThree.class)
                        .map(type -> selectClass(type))
                        .toList(),
                true);
        assertThat(results.allEvents().failed().count())
                .as(texts(results).toString())
                .isZero();
        assertThat(results.testEvents().succeeded().count()).isEqualTo(12);
        assertThat(new TreeSet<>(Samples.SEEN.values())).hasSize(3);
    }

    @Test
    @Behaviour("TST-1")
    void whatCannotBeInjectedIsRefusedWithAReason() {
        assertThat(failures(Samples.WrongType.class))
                .singleElement()
                .asString()
                .contains("MillraceService, Broker, PulsarClient or PulsarAdmin", "String");
        assertThat(failures(Samples.TwoSettings.class))
                .singleElement()
                .asString()
                .contains("TwoSettings", "say them once, at the class");
        assertThat(failures(Samples.MethodInConstructor.class))
                .singleElement()
                .asString()
                .contains("lives as long as a test method");
    }

    private static List<String> failures(Class<?>... samples) {
        return texts(run(Stream.of(samples).map(type -> selectClass(type)).toList(), false));
    }

    private static List<String> texts(EngineExecutionResults results) {
        return throwables(results).stream().map(Throwable::toString).toList();
    }

    private static List<Throwable> throwables(EngineExecutionResults results) {
        return results.allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .toList();
    }

    private static EngineExecutionResults run(List<ClassSelector> samples, boolean parallel) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(samples.toArray(ClassSelector[]::new))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", String.valueOf(parallel))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "6")
                .execute();
    }

    private static void deleteTree(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> tree = Files.walk(folder)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
