package io.millrace.compatibility;

import io.millrace.compatibility.compare.Intended;
import io.millrace.compatibility.compare.IntendedDifferences;
import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.language.Conversations;
import io.millrace.compatibility.language.LanguageThemes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
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
    static String render(IntendedDifferences differences, Recordings recordings) throws IOException {
        StringBuilder text =
                new StringBuilder("| theme | client | scenarios | told alike in all |\n|---|---|---|---|\n");
        List<String> scenarios = new ArrayList<>();
        for (Row row : rows()) {
            Set<String> all = recordings.read(row.name).keySet();
            text.append("| %s | %s | [%d](../compatibility/transcripts/%s.txt) | %d |%n"
                    .formatted(row.shows, row.client, all.size(), row.name, alike(all, differences)));
            scenarios.addAll(all);
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

    private record Row(String name, String shows, String client) {}

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        Catalogue.themes().forEach(theme -> rows.add(new Row(theme.name(), theme.shows(), theme.client())));
        rows.add(new Row(
                Conversations.NAME,
                "values of every type of schema from one language to another, of the same version and of others",
                "Java, Python, Go"));
        LanguageThemes.all()
                .forEach(theme -> rows.add(
                        new Row(theme.name(), theme.shows(), theme.language().client())));
        return rows;
    }

    private static long alike(Collection<String> scenarios, IntendedDifferences differences) {
        return scenarios.stream()
                .filter(scenario -> differences.entries().stream().noneMatch(entry -> entry.isOf(scenario)))
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
