package io.millrace.benchmarks.stages;

import io.millrace.benchmarks.engine.FusedBenchmark;
import io.millrace.benchmarks.engine.Peers;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Elements a second from a source of one's own through so many stages that pass them on to a sink of one's own, one after the other; built, run and awaited in the
 * call. In a polluted JVM other streams have run before.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
public class StagesBenchmark {
    private static final int ELEMENTS = 100_000;
    private static final long EXPECTED = (ELEMENTS - 1L) * ELEMENTS / 2;

    @Param({"0", "5", "20"})
    int stages = 0;

    @Param({"clean", "polluted"})
    String jvm = "clean";

    @Setup
    public void build(Peers peers) {
        if (jvm.equals("polluted")) {
            FusedBenchmark.pollute(peers);
        }
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public long millrace(Peers peers) {
        return sum(MillraceStages.graph(ELEMENTS, stages).run(peers.runtime()));
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public long pekko(Peers peers) {
        return sum(PekkoStages.graph(ELEMENTS, stages).run(peers.system()));
    }

    private static long sum(CompletionStage<Long> result) {
        long sum = result.toCompletableFuture().join();
        if (sum != EXPECTED) {
            throw new IllegalStateException("the sum is " + sum + " instead of " + EXPECTED);
        }
        return sum;
    }
}
