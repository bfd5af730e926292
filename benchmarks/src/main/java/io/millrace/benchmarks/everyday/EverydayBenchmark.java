package io.millrace.benchmarks.everyday;

import io.millrace.benchmarks.engine.Peers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Streams a second, each built, run and awaited in the call, in a JVM that has run all other kinds of stream before; all libraries must come to
 * the same result. {@code blueprint} is ours with the graph built once.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 3, time = 1)
public class EverydayBenchmark {
    private static final int ROUNDS_BEFORE = 20;

    @Param({
        "map-100k",
        "mapConcat-100k",
        "grouped-100k",
        "mixed-100k",
        "pairs-100k",
        "capturing-100k",
        "list-1",
        "list-10",
        "list-100",
        "list-1000",
        "maps-5",
        "maps-100",
        "maps-1000",
        "fold-1000",
        "first-of-100k",
        "concat-1000",
        "zip-10k",
        "merge-10k",
        "flatMapConcat-1000",
        "flatMapMerge-1000",
        "groupBy-10k",
        "mapAsync-done-1000",
        "mapAsync-pending-100",
        "publish-1-10k",
        "publish-10-10k"
    })
    String program = "list-10";

    private Program millrace = Program.NONE;
    private Program blueprint = Program.NONE;
    private Program reactor = Program.NONE;
    private Program rxJava = Program.NONE;
    private long expected;

    /** Runs all programs of all libraries for a while, so that each has its code compiled as in a program of many streams. */
    @Setup
    public void build(Peers peers) {
        for (String other : Programs.NAMES) {
            for (int round = 0; round < ROUNDS_BEFORE; round++) {
                MillracePrograms.fresh(other, peers.runtime()).run();
                ReactorPrograms.named(other).run();
                RxJavaPrograms.named(other).run();
            }
        }
        millrace = MillracePrograms.fresh(program, peers.runtime());
        blueprint = MillracePrograms.blueprint(program, peers.runtime());
        reactor = ReactorPrograms.named(program);
        rxJava = RxJavaPrograms.named(program);
        expected = rxJava.run();
    }

    @Benchmark
    public long millrace() {
        return check(millrace.run());
    }

    @Benchmark
    public long blueprint() {
        return check(blueprint.run());
    }

    @Benchmark
    public long reactor() {
        return check(reactor.run());
    }

    @Benchmark
    public long rxJava() {
        return check(rxJava.run());
    }

    private long check(long result) {
        if (result != expected) {
            throw new IllegalStateException(program + " gave " + result + " instead of " + expected);
        }
        return result;
    }
}
