package io.millrace.benchmarks.dispatch;

import io.millrace.benchmarks.jmh.JmhSuite;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure;
import io.millrace.benchmarks.report.Figure.Better;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jol.info.GraphLayout;

/** Time and heap of the index of pending acknowledgements. */
public final class PendingAcksBenchmark implements Benchmark {
    private static final List<Class<?>> CLASSES = List.of(
            DispatchAckBenchmark.class,
            LargeDispatchAckBenchmark.class,
            SparseAckBenchmark.class,
            PartialAckBenchmark.class,
            RemoveUpToBenchmark.class,
            ConsumerCloseBenchmark.class);

    @Override
    public String name() {
        return "pending-acks";
    }

    @Override
    public String summary() {
        return "the index of pending acknowledgements, beside Pulsar's and the two published designs";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        report.note(
                "Pulsar's map takes a lock in every call; ours has one owner, and the published designs have no lock here.");
        List<String> leftOut = NewerPulsar.isThere() ? List.of() : List.of("pulsar5");
        if (!leftOut.isEmpty()) {
            report.note("Pulsar 5.0.1 is left out: it needs a JDK 25.");
        }
        heap(report);
        new JmhSuite(name(), summary(), CLASSES, leftOut).run(setting, report);
    }

    private static void heap(Report report) {
        System.setProperty("jol.magicFieldOffset", "true"); // else records and lambdas cannot be looked into
        for (int ledgers : new int[] {1, 20}) {
            bytesPerEntry(
                    "heap-50000-over-" + ledgers,
                    report,
                    50_000,
                    index -> new IndexLoad(index, 50_000, ledgers, AckOrder.IN_ORDER));
        }
        bytesPerEntry("heap-sparse-50000", report, 50_000, index -> new IndexLoad(index, 50_000, 1, AckOrder.SPARSE));
        bytesPerEntry("heap-1000-over-100", report, 1, index -> new IndexLoad(index, 1_000, 100, AckOrder.IN_ORDER));
        bytesPerEntry(
                "heap-1000-after-50000",
                report,
                1,
                index -> new IndexLoad(index, 50_000, 1, AckOrder.IN_ORDER).removeFirst(49_000));
    }

    private static void bytesPerEntry(String workload, Report report, int entries, Consumer<PendingIndex> fill) {
        Map<String, Double> peers = new LinkedHashMap<>();
        List<String> libraries = new ArrayList<>(List.of("pulsar4", "trees", "openHash"));
        if (NewerPulsar.isThere()) {
            libraries.add("pulsar5");
        }
        libraries.forEach(library -> peers.put(library, bytes(library, fill) / entries));
        String unit = entries == 1 ? "bytes" : "bytes/entry";
        report.add(new Figure(workload, unit, Better.LOWER, bytes("millrace", fill) / entries, peers));
    }

    private static double bytes(String library, Consumer<PendingIndex> fill) {
        PendingIndex index = IndexLoads.index(library, 1);
        fill.accept(index);
        return GraphLayout.parseInstance(index.heapRoot()).totalSize();
    }
}
