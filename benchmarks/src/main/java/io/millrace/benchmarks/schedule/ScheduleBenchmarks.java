package io.millrace.benchmarks.schedule;

import io.millrace.benchmarks.jmh.JmhSuite;
import io.millrace.benchmarks.report.Benchmark;
import java.util.List;

/** The JMH benchmarks of the schedulers. */
public final class ScheduleBenchmarks {
    /** Adding and removing a tracked task. */
    public static final Benchmark TASK_TRACKING = new JmhSuite(
            "task-tracking",
            "adding and removing a task in an owner's list and in a composite, beside RxJava and Reactor",
            List.of(OwnerTrackingBenchmark.class, SharedTrackingBenchmark.class));

    /** Runs that hop to a scheduler. */
    public static final Benchmark SCHEDULER = new JmhSuite(
            "scheduler",
            "subscribeOn and observeOn, 1, 1 024 and 1 M elements, beside RxJava and Reactor",
            List.of(SubscribeOnBenchmark.class, ObserveOnBenchmark.class));

    private ScheduleBenchmarks() {}
}
