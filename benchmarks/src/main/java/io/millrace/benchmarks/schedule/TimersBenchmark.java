package io.millrace.benchmarks.schedule;

import io.millrace.benchmarks.process.Medians;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.report.Report;
import io.millrace.benchmarks.report.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A million pending timers, immediate tasks beside them, and a timeout per element. The libraries take turns in each
 * round; the first rounds warm up and are not counted.
 */
public final class TimersBenchmark implements Benchmark {
    private static final int[] PENDING = {0, 10_000, 1 << 20};
    private static final int TASKS = 1 << 20;

    @Override
    public String name() {
        return "timers";
    }

    @Override
    public String summary() {
        return "2^20 timers scheduled, weighed, disposed, cancelled; immediate hops; timeouts; beside RxJava and Reactor";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        Medians medians = new Medians();
        manyTimers(setting, report, medians);
        hops(setting, report, medians);
        timeouts(setting, report, medians);
        medians.report(report);
        for (TimerLibrary library : TimerLibrary.ALL) {
            report.note(
                    "%-10s an immediate hop takes %.2f times as long with 10 000 timers pending, %.2f times with 2^20",
                    library.label(), slowdown(medians, library, PENDING[1]), slowdown(medians, library, PENDING[2]));
        }
    }

    private static double slowdown(Medians medians, TimerLibrary library, int pending) {
        double none = medians.median("hop-" + PENDING[0] + "-pending", library.label())
                .orElseThrow();
        return medians.median("hop-" + pending + "-pending", library.label()).orElseThrow() / none;
    }

    private static void manyTimers(Setting setting, Report report, Medians medians) throws InterruptedException {
        int warmUps = 2;
        int rounds = warmUps + setting.count(7, 3);
        for (int round = 0; round < rounds; round++) {
            report.progress("timers: round %d of %d", round + 1, rounds);
            Medians counted = round < warmUps ? new Medians() : medians;
            for (TimerLibrary library : TimerLibrary.ALL) {
                ManyTimers timers = new ManyTimers(library, TASKS);
                timers.disposeAtOnce(counted);
                timers.cancelEach(counted);
            }
        }
    }

    private static void hops(Setting setting, Report report, Medians medians) throws InterruptedException {
        int warmUps = 6;
        int rounds = warmUps + setting.count(20, 10);
        for (TimerLibrary library : TimerLibrary.ALL) {
            report.progress("hops of %s: %d rounds", library.label(), rounds);
            List<ImmediateHop> hops = new ArrayList<>();
            for (int pending : PENDING) {
                hops.add(new ImmediateHop(library, pending));
            }
            for (int round = 0; round < rounds; round++) {
                for (ImmediateHop hop : hops) {
                    hop.measure(round < warmUps ? new Medians() : medians);
                }
            }
            hops.forEach(ImmediateHop::close);
        }
    }

    private static void timeouts(Setting setting, Report report, Medians medians) {
        int elements = setting.count(10_000_000, 2_000_000);
        int warmUps = 1;
        int rounds = warmUps + setting.count(5, 3);
        for (int round = 0; round < rounds; round++) {
            report.progress("timeout: round %d of %d", round + 1, rounds);
            for (TimerLibrary library : TimerLibrary.ALL) {
                long start = System.nanoTime();
                long counted = library.timeout(elements, Duration.ofSeconds(1));
                double nanos = (System.nanoTime() - start) / (double) elements;
                if (counted != elements) {
                    throw new IllegalStateException(library + " let " + counted + " of " + elements + " through");
                }
                if (round >= warmUps) {
                    medians.add("timeout-an-element", "ns", library.label(), nanos);
                }
            }
        }
    }
}
