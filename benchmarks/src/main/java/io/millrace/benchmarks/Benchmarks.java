package io.millrace.benchmarks;

import io.millrace.benchmarks.actor.StageActorBenchmark;
import io.millrace.benchmarks.dispatch.PendingAcksBenchmark;
import io.millrace.benchmarks.engine.BoundariesBenchmark;
import io.millrace.benchmarks.engine.FusedBenchmark;
import io.millrace.benchmarks.engine.IdleHeapBenchmark;
import io.millrace.benchmarks.engine.LatencyBenchmark;
import io.millrace.benchmarks.engine.MaterializeBenchmark;
import io.millrace.benchmarks.everyday.EverydayBenchmark;
import io.millrace.benchmarks.hub.HubBenchmark;
import io.millrace.benchmarks.hub.HubChurnBenchmark;
import io.millrace.benchmarks.hub.HubDesignsBenchmark;
import io.millrace.benchmarks.hub.HubLaggardBenchmark;
import io.millrace.benchmarks.hub.HubLatencyBenchmark;
import io.millrace.benchmarks.jmh.JmhSuite;
import io.millrace.benchmarks.operators.OperatorsBenchmark;
import io.millrace.benchmarks.process.DispatchBenchmark;
import io.millrace.benchmarks.process.JunitBenchmark;
import io.millrace.benchmarks.process.ManyTopicsBenchmark;
import io.millrace.benchmarks.process.NamespacesBenchmark;
import io.millrace.benchmarks.process.PublishLatencyBenchmark;
import io.millrace.benchmarks.process.StartupBenchmark;
import io.millrace.benchmarks.report.Benchmark;
import io.millrace.benchmarks.schedule.ScheduleBenchmarks;
import io.millrace.benchmarks.schedule.TimersBenchmark;
import io.millrace.benchmarks.stages.StagesBenchmark;
import java.util.List;
import java.util.Optional;

/** The one list of benchmarks. */
final class Benchmarks {
    static final List<Benchmark> ALL = List.of(
            new StartupBenchmark(),
            new JunitBenchmark(),
            new PublishLatencyBenchmark(),
            new ManyTopicsBenchmark(),
            new NamespacesBenchmark(),
            new DispatchBenchmark(),
            new HubBenchmark(),
            new HubChurnBenchmark(),
            new HubLaggardBenchmark(),
            new HubLatencyBenchmark(),
            new HubDesignsBenchmark(),
            new TimersBenchmark(),
            ScheduleBenchmarks.TASK_TRACKING,
            ScheduleBenchmarks.SCHEDULER,
            new JmhSuite(
                    "everyday",
                    "streams as programs write them, built in the call and run to their end, beside Reactor and RxJava",
                    List.of(EverydayBenchmark.class)),
            new MaterializeBenchmark(),
            new JmhSuite(
                    "fused",
                    "pipelines of synchronous operators, clean and polluted, beside Pekko, RxJava and Reactor",
                    List.of(FusedBenchmark.class)),
            new JmhSuite(
                    "boundaries",
                    "0, 1, 3 and 10 asynchronous boundaries beside Pekko, RxJava and Reactor",
                    List.of(BoundariesBenchmark.class)),
            new JmhSuite(
                    "operators",
                    "the operators that are used most, one by one, beside Pekko, RxJava and Reactor",
                    List.of(OperatorsBenchmark.class)),
            new JmhSuite(
                    "stages", "stages of one's own, clean and polluted, beside Pekko", List.of(StagesBenchmark.class)),
            new LatencyBenchmark(),
            new IdleHeapBenchmark(),
            new StageActorBenchmark(),
            new PendingAcksBenchmark());

    private Benchmarks() {}

    static Optional<Benchmark> named(String name) {
        return ALL.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
    }
}
