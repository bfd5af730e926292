package io.millrace.benchmarks.process;

import io.millrace.benchmarks.report.Figure;
import io.millrace.benchmarks.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Samples of each workload and library, {@code ours} among them, over the rounds of a run, reported as medians. Higher is better of
 * what is counted per second, lower of all else.
 */
public final class Medians {
    private record Workload(String name, String unit) {}

    private final Map<Workload, Map<String, List<Double>>> samples = new LinkedHashMap<>();

    /** Takes one sample. */
    public void add(String workload, String unit, String broker, double sample) {
        samples.computeIfAbsent(new Workload(workload, unit), key -> new LinkedHashMap<>())
                .computeIfAbsent(broker, key -> new ArrayList<>())
                .add(sample);
    }

    /** The median of what was sampled, if anything was. */
    public Optional<Double> median(String workload, String broker) {
        return samples.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(workload))
                .filter(entry -> entry.getValue().containsKey(broker))
                .map(entry -> middle(entry.getValue().get(broker)))
                .findFirst();
    }

    /** Hands each workload to the report, ours beside every peer that was sampled. */
    public void report(Report report) {
        samples.forEach((workload, brokers) -> {
            Map<String, Double> peers = new LinkedHashMap<>();
            brokers.forEach((broker, values) -> {
                report.note(
                        "%-34s %-8s %-10s of %d: least %,.3f, greatest %,.3f",
                        workload.name(),
                        workload.unit(),
                        broker,
                        values.size(),
                        values.stream().min(Double::compare).orElseThrow(),
                        values.stream().max(Double::compare).orElseThrow());
                if (!broker.equals("ours")) {
                    peers.put(broker, middle(values));
                }
            });
            double ours = median(workload.name(), "ours").orElseThrow();
            Figure.Better better = workload.unit().endsWith("/s") ? Figure.Better.HIGHER : Figure.Better.LOWER;
            report.add(new Figure(workload.name(), workload.unit(), better, ours, peers));
        });
    }

    private static double middle(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
