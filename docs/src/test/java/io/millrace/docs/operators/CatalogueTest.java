package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.docs.tidy.Repository;
import io.millrace.docs.tidy.TextFile;
import io.millrace.streams.Compression;
import io.millrace.streams.Flow;
import io.millrace.streams.Framing;
import io.millrace.streams.Junctions;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operator has its entry in docs/operators, with what must be said of it and an example, and a test. */
class CatalogueTest {
    /** How graphs are put together and run: told in docs/guides/streams.md. */
    private static final Set<String> WIRING = Set.of(
            "create",
            "fromGraph",
            "mapMaterializedValue",
            "preMaterialize",
            "runForeach",
            "runWith",
            "shape",
            "to",
            "toMat",
            "via",
            "viaMat",
            "withAttributes");

    /** Classes whose methods make parts of graphs, which are documented as flows under the name of the class. */
    private static final List<Class<?>> PARTS = List.of(Junctions.class, Framing.class, Compression.class);

    private static final String PAGES = "docs/operators/";
    private static final Pattern TESTED = Pattern.compile("@Operator\\((\\{[^}]*}|\"[^\"]*\")\\)");
    private static final Pattern NAME = Pattern.compile("\"([^\"]*)\"");

    private static List<TextFile> files;
    private static List<OperatorPage> pages;

    @BeforeAll
    static void readPages() throws IOException {
        files = Repository.open().files();
        pages = files.stream()
                .filter(file -> file.path().startsWith(PAGES) && file.isMarkdown())
                .flatMap(file -> OperatorPage.parse(file).stream())
                .toList();
        assertThat(pages).hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @EnumSource
    void everyOperatorHasAnEntryAndEveryEntryIsOfAnOperator(OperatorPage.Kind kind) {
        Set<String> documented = pages.stream()
                .filter(page -> page.kind() == kind)
                .flatMap(page -> page.entries().stream())
                .map(OperatorPage.Entry::operator)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).containsExactlyInAnyOrderElementsOf(operators(kind));
    }

    @Test
    void everyEntrySaysWhatItMustAndHasAnExample() {
        assertThat(pages.stream().flatMap(page -> page.problems().stream())).isEmpty();
    }

    @Test
    void everyOperatorHasATestThatNamesIt() {
        Set<String> tested = files.stream()
                .filter(file -> file.isJava() && file.isTest())
                .flatMap(CatalogueTest::named)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> operators = Arrays.stream(OperatorPage.Kind.values())
                .flatMap(kind -> operators(kind).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tested).containsExactlyInAnyOrderElementsOf(operators);
    }

    @Test
    void aFlowHasTheOperatorsOfASource() {
        Set<String> ofSources = names(Source.class, false);
        ofSources.removeAll(Set.of(
                "runWith",
                "runForeach",
                "repeatTimes",
                "preMaterialize",
                "toPublisher",
                "toFlowPublisher",
                "subscribeOn",
                "observeOn",
                "publish",
                "replay",
                "cache",
                "retry",
                "runToIterable",
                "runToStream",
                "asSourceWithContext"));
        Set<String> ofFlows = names(Flow.class, false);
        ofFlows.removeAll(Set.of("toProcessor", "toFlowProcessor", "asFlowWithContext"));
        assertThat(ofFlows).containsExactlyInAnyOrderElementsOf(ofSources);
    }

    private static Stream<String> named(TextFile file) {
        return TESTED.matcher(file.text())
                .results()
                .flatMap(found -> NAME.matcher(found.group(1)).results())
                .map(found -> found.group(1));
    }

    private static Set<String> operators(OperatorPage.Kind kind) {
        Set<String> names = switch (kind) {
            case SOURCES -> names(Source.class, true);
            case SINKS -> names(Sink.class, true);
            case FLOWS -> flows();
        };
        names.removeAll(WIRING);
        return names;
    }

    private static Set<String> flows() {
        Set<String> names = names(Source.class, false);
        names.addAll(names(Flow.class, true));
        names.remove("of"); // Flow.of is map
        names.addAll(names(Flow.class, false));
        names.addAll(names(Sink.class, false));
        for (Class<?> type : PARTS) {
            names(type, true).forEach(name -> names.add(type.getSimpleName() + "." + name));
        }
        return names;
    }

    private static Set<String> names(Class<?> type, boolean areStatic) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> Modifier.isStatic(method.getModifiers()) == areStatic)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
