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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Acknowledges one of the pending entries and dispatches the next. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DispatchAckBenchmark {
    @Param({"IN_ORDER", "RANDOM"})
    public AckOrder order = AckOrder.IN_ORDER;

    @Param("50000")
    public int pending;

    @Param({"1", "5", "10", "20"})
    public int ledgers;

    private IndexLoad load = IndexLoads.NONE;

    @Setup(Level.Trial)
    public void fill(BenchmarkParams running) {
        load = new IndexLoad(IndexLoads.index(running), pending, ledgers, order);
    }

    @TearDown
    public void check() {
        load.requirePending();
    }

    @Benchmark
    public void millrace() {
        load.cycle();
    }

    @Benchmark
    public void pulsar4() {
        load.cycle();
    }

    @Benchmark
    public void pulsar5() {
        load.cycle();
    }

    @Benchmark
    public void trees() {
        load.cycle();
    }

    @Benchmark
    public void openHash() {
        load.cycle();
    }
}
