package io.millrace.benchmarks.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Collects the figures of one run, prints them as a table and ratio lines, and stores them as JSON. */
public final class Report {
    private final String benchmark;
    private final PrintStream out;
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public Report(String benchmark, PrintStream out) {
        this.benchmark = benchmark;
        this.out = out;
    }

    /** Takes one comparison. */
    public void add(Figure figure) {
        figures.add(figure);
    }

    /** Takes a line that belongs to the figures and is no comparison. */
    public void note(String format, Object... arguments) {
        notes.add(String.format(Locale.ROOT, format, arguments));
    }

    /** Says at once what is going on. */
    public void progress(String format, Object... arguments) {
        out.printf(Locale.ROOT, "# " + format + "%n", arguments);
    }

    /** Prints the table, the notes and one line per comparison. */
    public void print() {
        out.printf("%n%-34s %-8s %14s %24s%n", "workload", "unit", "ours", "peers (ratio)");
        for (Figure figure : figures) {
            StringBuilder peers = new StringBuilder();
            for (String peer : new TreeSet<>(figure.peers().keySet())) {
                peers.append(String.format(
                        Locale.ROOT, "  %s %,.3f (%.2f)", peer, figure.peers().get(peer), figure.ratio(peer)));
            }
            out.printf(Locale.ROOT, "%-34s %-8s %,14.3f %s%n", figure.workload(), figure.unit(), figure.ours(), peers);
        }
        notes.forEach(out::println);
        for (Figure figure : figures) {
            for (String peer : new TreeSet<>(figure.peers().keySet())) {
                out.printf(Locale.ROOT, "ratio %s ours/%s %.2f%n", figure.workload(), peer, figure.ratio(peer));
            }
        }
    }

    /** Writes the figures with the machine and the commit they belong to; returns the file. */
    public Path store(Setting setting) throws IOException {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("benchmark", benchmark);
        content.put("quick", setting.quick());
        content.put("date", DateTimeFormatter.ISO_INSTANT.format(now));
        content.putAll(Machine.describe(setting.home()));
        content.put("figures", figures.stream().map(Report::asMap).toList());
        content.put("notes", notes);
        Path folder = Files.createDirectories(setting.home().resolve("benchmarks/results"));
        Path file = folder.resolve(
                benchmark + "-" + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(now) + ".json");
        return Files.writeString(file, Json.write(content) + "\n");
    }

    private static Map<String, Object> asMap(Figure figure) {
        Map<String, Object> ratios = new LinkedHashMap<>();
        figure.peers().keySet().forEach(peer -> ratios.put(peer, figure.ratio(peer)));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("workload", figure.workload());
        map.put("unit", figure.unit());
        map.put("better", figure.better().name().toLowerCase(Locale.ROOT));
        map.put("ours", figure.ours());
        map.put("peers", figure.peers());
        map.put("ratios", ratios);
        return map;
    }
}
