package io.millrace.docs.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The house rules over every file of the repository. */
class TidyTest {
    /** The one list of what may exceed a size, each with its reason; an entry nobody needs fails the test. */
    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            Map.entry("Frame.writeEntry", "the fields of a frame go to the buffer without an object in between"),
            Map.entry("Frame.writeRecord", "as Frame.writeEntry"),
            Map.entry("Frame.seal", "as Frame.writeEntry"),
            Map.entry("SegmentTemplate.pull", "a part of the line that was compiled apart would not be inlined"),
            Map.entry("KindTemplate.pull", "as SegmentTemplate.pull"),
            Map.entry("RuntimeSettings", "made by its withX methods alone, each named for what it sets"),
            Map.entry("Blueprint.Composite", "a graph as data: each list is one part of what it is"),
            Map.entry("DispatcherStats", "a report: made in one place, read by name"),
            Map.entry("DispatcherStats.ConsumerStats", "as DispatcherStats"),
            Map.entry("FlowCase", "made by its own methods, each named for what it says of the case"),
            Map.entry("Kind", "as FlowCase"));

    /** Who may use the console although it stands in a library, each with its reason. */
    private static final Map<String, String> PRINTERS =
            Map.of("CapturedOutput.java", "it stands between tests and the console");

    private static Repository repository;
    private static List<JavaSource> sources;

    @BeforeAll
    static void readRepository() throws IOException {
        repository = Repository.open();
        sources = repository.javaSources();
        assertThat(sources).as("the repository was found").hasSizeGreaterThan(20);
    }

    @Test
    void filesMethodsParametersAndNestingStayWithinTheirSize() {
        List<Finding> findings = eachSource(new SizeRule());
        findings.removeIf(finding -> EXCEPTIONS.containsKey(finding.subject()));
        assertThat(findings).as(report(findings)).isEmpty();
    }

    @Test
    void everyExceptionIsStillNeeded() {
        assertThat(eachSource(new SizeRule()).stream().map(Finding::subject)).containsAll(EXCEPTIONS.keySet());
    }

    @Test
    void roomsTypesAndAccessorsAreNamedForTheirPurpose() {
        List<Finding> findings = eachSource(new NameRule());
        assertThat(findings).as(report(findings)).isEmpty();
    }

    @Test
    void bannedCallsAreNotMade() {
        List<Finding> findings = eachSource(new CallRule());
        findings.removeIf(
                finding -> finding.subject().startsWith("System.") && PRINTERS.containsKey(fileName(finding)));
        assertThat(findings).as(report(findings)).isEmpty();
    }

    private static String fileName(Finding finding) {
        return finding.path().substring(finding.path().lastIndexOf('/') + 1);
    }

    @Test
    void nothingIsMarkedAsUnfinished() {
        List<Finding> findings = eachFile(new OpenMarkRule()::check);
        assertThat(findings).as(report(findings)).isEmpty();
    }

    @Test
    void everyMainPackageIsNullMarked() {
        List<Finding> findings = new NullMarkedRule().check(sources);
        assertThat(findings).as(report(findings)).isEmpty();
    }

    @Test
    void linksOfEveryPageLeadSomewhere() {
        LinkRule rule = new LinkRule(repository);
        List<Finding> findings = eachFile(file -> file.isMarkdown() ? rule.check(file) : List.of());
        assertThat(findings).as(report(findings)).isEmpty();
    }

    @Test
    void noFileNamesAPathOfOneMachine() {
        List<Finding> findings = eachFile(new MachinePathRule()::check);
        assertThat(findings).as(report(findings)).isEmpty();
    }

    private static List<Finding> eachSource(JavaRule rule) {
        return new ArrayList<>(
                sources.stream().flatMap(source -> rule.check(source).stream()).toList());
    }

    private static List<Finding> eachFile(Function<TextFile, List<Finding>> rule) {
        return repository.files().stream()
                .flatMap(file -> rule.apply(file).stream())
                .toList();
    }

    private static String report(List<Finding> findings) {
        return findings.stream().map(Finding::toString).collect(Collectors.joining("\n", "\n", "\n"));
    }
}
