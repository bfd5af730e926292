package io.millrace.benchmarks.jmh;

import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Figure;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A benchmark made of JMH classes. A method measures one library and bears its name, {@code millrace} for ours; class
 * and parameters name the workload, so that the methods of one class with the same parameters are compared.
 *
 * <p>All libraries run one workload before the next workload begins, and as many rounds of that as the setting says, each in
 * a JVM of its own.
 *
 * <p>A quick run warms up as long as a full one, for it is to measure the same compiled code, and then measures less.
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
        for (Class<?> type : classes) {
            for (Map<String, String> parameters : Parameters.combinations(type)) {
                report(workload(type, parameters), measured(setting, options(setting, type, parameters)), report);
            }
        }
    }

    private static Map<String, Samples> measured(Setting setting, Options options) throws RunnerException {
        Map<String, Samples> measured = new LinkedHashMap<>();
        for (int round = 0; round < setting.count(3, 1); round++) {
            for (RunResult result : new Runner(options).run()) {
                String method = result.getParams().getBenchmark();
                measured.computeIfAbsent(method.substring(method.lastIndexOf('.') + 1), library -> new Samples(result))
                        .add(result);
            }
        }
        return measured;
    }

    /** One fork of each library, one after the other, so that what the machine does otherwise meets all of them alike. */
    private Options options(Setting setting, Class<?> type, Map<String, String> parameters) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .shouldFailOnError(true)
                .forks(1)
                .jvmArgsAppend("-Xmx2g")
                .addProfiler(GCProfiler.class)
                .include(Pattern.quote(type.getName() + "."));
        parameters.forEach(options::param);
        leftOut.forEach(library -> options.exclude(Pattern.quote("." + library) + "$"));
        if (setting.quick()) {
            options.measurementIterations(3).measurementTime(TimeValue.milliseconds(500));
        }
        return options.build();
    }

    private static String workload(Class<?> type, Map<String, String> parameters) {
        List<String> parts = new ArrayList<>();
        String simple = type.getSimpleName().replaceFirst("Benchmark$", "");
        parts.add(HUMP.matcher(simple).replaceAll("-").toLowerCase(Locale.ROOT));
        parts.addAll(new TreeMap<>(parameters).values());
        return String.join("-", parts);
    }

    private static void report(String workload, Map<String, Samples> measured, Report report) {
        Map<String, Double> peers = new LinkedHashMap<>();
        measured.forEach((library, samples) -> {
            report.note("%-34s %-10s %s", workload, library, samples);
            if (!library.equals(OURS)) {
                peers.put(library, samples.median());
            }
        });
        Samples ours = measured.get(OURS);
        if (ours != null) {
            report.add(new Figure(workload, ours.unit(), ours.better(), ours.median(), peers));
        }
    }
}
