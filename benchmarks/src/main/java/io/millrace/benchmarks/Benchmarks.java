package io.millrace.benchmarks;

import io.millrace.benchmarks.hub.HubBenchmark;
import io.millrace.benchmarks.process.ManyTopicsBenchmark;
import io.millrace.benchmarks.process.PublishLatencyBenchmark;
import io.millrace.benchmarks.process.StartupBenchmark;
import io.millrace.benchmarks.schedule.ScheduleBenchmarks;
import io.millrace.benchmarks.schedule.TimersBenchmark;
import java.util.List;
import java.util.Optional;

/** The one list of benchmarks. */
final class Benchmarks {
    static final List<Benchmark> ALL = List.of(
            new StartupBenchmark(),
            new PublishLatencyBenchmark(),
            new ManyTopicsBenchmark(),
            new HubBenchmark(),
            new TimersBenchmark(),
            ScheduleBenchmarks.TASK_TRACKING,
            ScheduleBenchmarks.SCHEDULER);

    private Benchmarks() {}

    static Optional<Benchmark> named(String name) {
        return ALL.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
    }
}
