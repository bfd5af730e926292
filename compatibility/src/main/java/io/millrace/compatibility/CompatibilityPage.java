package io.millrace.compatibility;

import io.millrace.compatibility.compare.Intended;
import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.scenario.Scenario;
import io.millrace.compatibility.scenario.Theme;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The part of {@code docs/compatibility.md} that is made of the scenarios and of the list of intended differences. */
final class CompatibilityPage {
    private CompatibilityPage() {}

    /** The text between the page's two marks. */
    static String render(IntendedDifferences differences) {
        List<Scenario> scenarios = Catalogue.scenarios();
        StringBuilder text =
                new StringBuilder("| theme | client | scenarios | told alike in all |\n|---|---|---|---|\n");
        for (Theme theme : Catalogue.themes()) {
            List<Scenario> all = theme.scenarios();
            text.append("| %s | %s | [%d](../compatibility/transcripts/%s.txt) | %d |%n"
                    .formatted(theme.shows(), theme.client(), all.size(), theme.name(), alike(all, differences)));
        }
        text.append("| **all** | | **%d** | **%d** |%n".formatted(scenarios.size(), alike(scenarios, differences)));
        text.append("\nWhat differs on purpose:\n\n");
        byReason(differences)
                .forEach((reason, names) -> text.append("- ")
                        .append(reason)
                        .append(": ")
                        .append(names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")))
                        .append(".\n"));
        return text.toString().replace("\r\n", "\n");
    }

    private static long alike(List<Scenario> scenarios, IntendedDifferences differences) {
        return scenarios.stream()
                .filter(scenario -> differences.entries().stream().noneMatch(entry -> entry.isOf(scenario.name())))
                .count();
    }

    private static Map<String, Set<String>> byReason(IntendedDifferences differences) {
        Map<String, Set<String>> scenarios = new LinkedHashMap<>();
        for (Intended entry : differences.entries()) {
            scenarios.computeIfAbsent(entry.reason(), unused -> new TreeSet<>()).add(entry.scenarios());
        }
        return scenarios;
    }
}
