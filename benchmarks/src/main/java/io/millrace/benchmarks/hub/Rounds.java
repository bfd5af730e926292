package io.millrace.benchmarks.hub;

import io.millrace.benchmarks.report.Figure;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What interleaved rounds of one workload came to, per library. */
public final class Rounds {
    public static final String OURS = "ours";

    private final Map<String, List<Double>> samples = new LinkedHashMap<>();

    public void add(String library, double sample) {
        samples.computeIfAbsent(library, name -> new ArrayList<>()).add(sample);
    }

    public double median(String library) {
        List<Double> sorted =
                samples.getOrDefault(library, List.of()).stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    /** Hands the medians to the report, ours beside every other. */
    public void report(String workload, String unit, Better better, Report report) {
        Map<String, Double> peers = new LinkedHashMap<>();
        samples.forEach((library, values) -> {
            report.note(
                    "%-34s %-10s %-10s of %d: least %,.3f, greatest %,.3f",
                    workload,
                    unit,
                    library,
                    values.size(),
                    values.stream().min(Double::compare).orElseThrow(),
                    values.stream().max(Double::compare).orElseThrow());
            if (!library.equals(OURS)) {
                peers.put(library, median(library));
            }
        });
        report.add(new Figure(workload, unit, better, median(OURS), peers));
    }
}
