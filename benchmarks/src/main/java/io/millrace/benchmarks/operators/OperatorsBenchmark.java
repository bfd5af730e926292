package io.millrace.benchmarks.operators;

import io.millrace.benchmarks.engine.Peers;
import io.millrace.streams.RunnableGraph;
import io.reactivex.rxjava3.core.Single;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Mono;

/** Elements a second from a list through one operator into a sum; all libraries must come to the same sum. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 3, time = 1)
public class OperatorsBenchmark {
    static final int ELEMENTS = 400_000;
    static final List<Integer> INPUT = IntStream.range(0, ELEMENTS).boxed().toList();

    @Param({
        "map",
        "filter",
        "mapConcat",
        "take",
        "drop",
        "takeWhile",
        "dropWhile",
        "scan",
        "fold",
        "reduce",
        "grouped",
        "sliding",
        "dropRepeated",
        "zipWithIndex",
        "concat",
        "merge",
        "zip",
        "flatMapConcat",
        "flatMapMerge",
        "groupBy",
        "mapAsync",
        "recover"
    })
    String operator = "map";

    private RunnableGraph<CompletionStage<Integer>> millrace = MillraceOperators.summed("map");
    private org.apache.pekko.stream.javadsl.RunnableGraph<CompletionStage<Integer>> pekko =
            PekkoOperators.summed("map");
    private Single<Integer> rxJava = RxJavaOperators.summed("map");
    private Mono<Integer> reactor = ReactorOperators.summed("map");
    private int expected;

    /** Collects garbage first: the numbers then stay in their order, and each fork reads memory alike. */
    @Setup
    public void build(Peers peers) {
        System.gc();
        millrace = MillraceOperators.summed(operator);
        pekko = PekkoOperators.summed(operator);
        rxJava = RxJavaOperators.summed(operator);
        reactor = ReactorOperators.summed(operator);
        expected = rxJava.blockingGet();
        millrace(peers);
        pekko(peers);
        reactor();
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int millrace(Peers peers) {
        return check(millrace.run(peers.runtime()).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int pekko(Peers peers) {
        return check(pekko.run(peers.system()).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int rxJava() {
        return check(rxJava.blockingGet());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int reactor() {
        Integer sum = reactor.block();
        return check(sum == null ? 0 : sum);
    }

    private int check(int sum) {
        if (sum != expected) {
            throw new IllegalStateException(operator + " gave " + sum + " instead of " + expected);
        }
        return sum;
    }
}
