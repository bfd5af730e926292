package io.millrace.benchmarks.dispatch;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Closes one of 20 consumers that hold 200 000 entries in turn; the maps of the others are one consumer's alone. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ConsumerCloseBenchmark {
    private static final int HELD = 10_000;
    private static final int CONSUMERS = 20;

    private PendingIndex index = IndexLoads.index("openHash", 1);

    @Setup(Level.Invocation)
    public void fill(BenchmarkParams running) {
        String library = IndexLoads.library(running);
        boolean isOurs = library.equals("millrace");
        index = IndexLoads.index(library, CONSUMERS);
        for (int id = 0; id < HELD * CONSUMERS; id += isOurs ? 1 : CONSUMERS) {
            index.add(1, id, 1, id & 0xFFFF);
        }
    }

    private long close() {
        int closed = index.closeConsumer();
        if (closed != HELD) {
            throw new IllegalStateException(closed + " entries were handed over, expected are " + HELD);
        }
        return index.handedOver();
    }

    @Benchmark
    public long millrace() {
        return close();
    }

    @Benchmark
    public long pulsar4() {
        return close();
    }

    @Benchmark
    public long pulsar5() {
        return close();
    }

    @Benchmark
    public long trees() {
        return close();
    }

    @Benchmark
    public long openHash() {
        return close();
    }
}
