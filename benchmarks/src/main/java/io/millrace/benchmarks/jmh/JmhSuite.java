package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.Benchmark;
import io.millrace.benchmarks.Figure;
import io.millrace.benchmarks.Figure.Better;
import io.millrace.benchmarks.Report;
import io.millrace.benchmarks.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * A benchmark made of JMH classes. A method measures one library and bears its name, {@code millrace} for ours; class
 * and parameters name the workload, so that the methods of one class with the same parameters are compared.
 *
 * @param leftOut libraries that cannot run here, and whose methods are not run
 */
public record JmhSuite(String name, String summary, List<Class<?>> classes, List<String> leftOut) implements Benchmark {
    private static final String OURS = "millrace";
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** With every library that the classes have a method for. */
    public JmhSuite(String name, String summary, List<Class<?>> classes) {
        this(name, summary, classes, List.of());
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .shouldFailOnError(true)
                .forks(setting.count(2, 1))
                .jvmArgsAppend("-Xmx2g")
                .addProfiler(GCProfiler.class);
        if (setting.quick()) {
            options.warmupIterations(3)
                    .warmupTime(TimeValue.milliseconds(500))
                    .measurementIterations(3)
                    .measurementTime(TimeValue.milliseconds(500));
        }
        classes.forEach(type -> options.include(Pattern.quote(type.getName() + ".")));
        leftOut.forEach(library -> options.exclude(Pattern.quote("." + library) + "$"));
        Collection<RunResult> results = new Runner(options.build()).run();
        workloads(results).forEach((workload, measured) -> report(workload, measured, report));
    }

    private static Map<String, Map<String, RunResult>> workloads(Collection<RunResult> results) {
        Map<String, Map<String, RunResult>> workloads = new LinkedHashMap<>();
        for (RunResult result : results) {
            String method = result.getParams().getBenchmark();
            String library = method.substring(method.lastIndexOf('.') + 1);
            workloads
                    .computeIfAbsent(workload(result.getParams()), name -> new LinkedHashMap<>())
                    .put(library, result);
        }
        return workloads;
    }

    private static String workload(BenchmarkParams params) {
        String method = params.getBenchmark();
        String type = method.substring(0, method.lastIndexOf('.'));
        String simple = type.substring(type.lastIndexOf('.') + 1).replaceFirst("Benchmark$", "");
        List<String> parts = new ArrayList<>();
        parts.add(HUMP.matcher(simple).replaceAll("-").toLowerCase(Locale.ROOT));
        params.getParamsKeys().forEach(key -> parts.add(params.getParam(key)));
        return String.join("-", parts);
    }

    private static void report(String workload, Map<String, RunResult> measured, Report report) {
        Map<String, Double> peers = new LinkedHashMap<>();
        measured.forEach((library, result) -> {
            Statistics statistics = result.getPrimaryResult().getStatistics();
            report.note(
                    "%-34s %-10s median of %d: least %,.3f, greatest %,.3f; %,.1f B/op",
                    workload,
                    library,
                    statistics.getN(),
                    statistics.getMin(),
                    statistics.getMax(),
                    bytesPerOperation(result));
            if (!library.equals(OURS)) {
                peers.put(library, statistics.getPercentile(50));
            }
        });
        RunResult ours = measured.get(OURS);
        if (ours != null) {
            Better better = ours.getParams().getMode() == Mode.Throughput ? Better.HIGHER : Better.LOWER;
            double median = ours.getPrimaryResult().getStatistics().getPercentile(50);
            report.add(new Figure(
                    workload, ours.getPrimaryResult().getScoreUnit().replace(' ', '-'), better, median, peers));
        }
    }

    private static double bytesPerOperation(RunResult result) {
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return allocated == null ? Double.NaN : allocated.getScore();
    }
}
