package io.millrace.compatibility;

import io.millrace.compatibility.compare.Difference;
import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.language.LanguagePrograms;
import io.millrace.compatibility.scenario.Run;
import io.millrace.compatibility.scenario.Scenario;
import io.millrace.compatibility.scenario.Target;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scenarios against Pulsar and Millrace, prints the differences that are not listed, and how Pulsar's transcripts differ
 * from the recorded ones. {@code bin/compare} starts it.
 */
public final class Compare {
    private final PrintStream out;
    private final Recordings recordings;
    private final Path intended;
    private final OtherLanguages others;

    private Compare(PrintStream out, Path folder) {
        this.out = out;
        others = new OtherLanguages(new LanguagePrograms(folder.toAbsolutePath()));
        recordings = new Recordings(folder.resolve("transcripts"));
        intended = folder.resolve("differences.txt");
    }

    /**
     * Folder of the module, Pulsar's two URLs, Millrace's two URLs, the beginning of the names of the scenarios to run, and
     * {@code record} or {@code compare}. Exit code 1 if there are differences.
     */
    public static void main(String[] arguments) throws Exception {
        Target pulsar = target(arguments[1], arguments[2]);
        Target millrace = target(arguments[3], arguments[4]);
        Compare compare = new Compare(System.out, Path.of(arguments[0]));
        boolean equal = compare.run(pulsar, millrace, arguments[5], arguments[6].equals("record"));
        System.exit(equal ? 0 : 1);
    }

    private static @Nullable Target target(String serviceUrl, String adminUrl) {
        return serviceUrl.isEmpty() ? null : new Target(serviceUrl, adminUrl);
    }

    private boolean run(@Nullable Target pulsar, @Nullable Target millrace, String only, boolean record)
            throws Exception {
        List<Scenario> scenarios = Catalogue.scenarios().stream()
                .filter(scenario -> scenario.name().startsWith(only))
                .toList();
        boolean equal = true;
        boolean hasOthers = OtherLanguages.has(only);
        if (hasOthers) {
            others.programs().install();
        }
        Map<String, Map<String, String>> recorded = Told.only(
                Told.recorded(recordings),
                name -> scenarios.stream().anyMatch(s -> s.name().equals(name)));
        if (hasOthers) {
            recorded.putAll(Told.only(OtherLanguages.recorded(recordings), name -> name.startsWith(only)));
        }
        Map<String, Map<String, String>> theirs = recorded;
        if (pulsar != null) {
            theirs = told("Pulsar", pulsar, scenarios, only);
            if (record) {
                Told.record(recordings, theirs);
                OtherLanguages.record(recordings, theirs);
            } else {
                equal = print(
                        "Differences of this Pulsar (second) from what is recorded (first)",
                        Difference.between(recorded, theirs));
            }
        }
        if (millrace != null) {
            List<Difference> differences = Difference.between(theirs, told("Millrace", millrace, scenarios, only));
            equal &= print(
                    "Differences that are not listed",
                    IntendedDifferences.read(intended).unlisted(differences));
        }
        return equal;
    }

    private Map<String, Map<String, String>> told(String broker, Target target, List<Scenario> scenarios, String only)
            throws Exception {
        long start = System.nanoTime();
        Map<String, Map<String, String>> told = Told.by(new Run(target), scenarios);
        if (OtherLanguages.has(only)) {
            told.putAll(others.told(target, only));
        }
        out.printf("# %d scenarios against %s in %.1f s%n", told.size(), broker, (System.nanoTime() - start) / 1e9);
        return told;
    }

    private boolean print(String title, List<Difference> differences) {
        out.printf("# %s: %d%n", title, differences.size());
        differences.forEach(out::println);
        return differences.isEmpty();
    }
}
