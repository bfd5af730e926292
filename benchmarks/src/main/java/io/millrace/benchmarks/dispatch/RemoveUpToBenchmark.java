package io.millrace.benchmarks.dispatch;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Removes the oldest of 50 000 pending entries: nearly all, or the first thousand. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RemoveUpToBenchmark {
    @Param({"1", "5", "10", "20"})
    public int ledgers;

    @Param({"49900", "1000"})
    public int removed;

    private IndexLoad load = IndexLoads.NONE;

    @Setup(Level.Invocation)
    public void fill(BenchmarkParams running) {
        load = new IndexLoad(IndexLoads.index(running), 50_000, ledgers, AckOrder.IN_ORDER);
    }

    @Benchmark
    public long millrace() {
        return load.removeFirst(removed);
    }

    @Benchmark
    public long pulsar4() {
        return load.removeFirst(removed);
    }

    @Benchmark
    public long pulsar5() {
        return load.removeFirst(removed);
    }

    @Benchmark
    public long trees() {
        return load.removeFirst(removed);
    }

    @Benchmark
    public long openHash() {
        return load.removeFirst(removed);
    }
}
