package io.millrace.benchmarks.engine;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.reactivex.rxjava3.core.Flowable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Elements a second over asynchronous boundaries, with a map before each and one behind the last. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class BoundariesBenchmark {
    private static final int ELEMENTS = 100_000;

    @Param({"0", "1", "3", "10"})
    int boundaries;

    private RunnableGraph<CompletionStage<Integer>> millrace = millraceGraph(0);
    private org.apache.pekko.stream.javadsl.RunnableGraph<CompletionStage<Integer>> pekko = pekkoGraph(0);
    private Flowable<Integer> rxJava = Flowable.empty();
    private Mono<Integer> reactor = Mono.empty();

    @Setup
    public void build(Peers peers) {
        millrace = millraceGraph(boundaries);
        pekko = pekkoGraph(boundaries);
        rxJava = Flowable.range(0, ELEMENTS).map(x -> x + 1);
        Flux<Integer> flux = Flux.range(0, ELEMENTS).map(x -> x + 1);
        for (int i = 0; i < boundaries; i++) {
            rxJava = rxJava.observeOn(io.reactivex.rxjava3.schedulers.Schedulers.computation())
                    .map(x -> x + 1);
            flux = flux.publishOn(Schedulers.parallel()).map(x -> x + 1);
        }
        reactor = flux.last();
    }

    private static RunnableGraph<CompletionStage<Integer>> millraceGraph(int boundaries) {
        Source<Integer, NotUsed> source = Source.range(0, ELEMENTS).map(x -> x + 1);
        for (int i = 0; i < boundaries; i++) {
            source = source.async().map(x -> x + 1);
        }
        return source.toMat(Sink.last(), Keep.right());
    }

    private static org.apache.pekko.stream.javadsl.RunnableGraph<CompletionStage<Integer>> pekkoGraph(int boundaries) {
        org.apache.pekko.stream.javadsl.Source<Integer, org.apache.pekko.NotUsed> source =
                org.apache.pekko.stream.javadsl.Source.range(0, ELEMENTS - 1).map(x -> x + 1);
        for (int i = 0; i < boundaries; i++) {
            source = source.async().map(x -> x + 1);
        }
        return source.toMat(org.apache.pekko.stream.javadsl.Sink.last(), org.apache.pekko.stream.javadsl.Keep.right());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int millrace(Peers peers) {
        return check(millrace.run(peers.runtime).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int pekko(Peers peers) {
        return check(pekko.run(peers.system).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int rxJava() {
        return check(rxJava.blockingLast());
    }

    @Benchmark
    @OperationsPerInvocation(ELEMENTS)
    public int reactor() {
        Integer last = reactor.block();
        return check(last == null ? 0 : last);
    }

    /** The last element has passed every map. */
    private int check(int last) {
        if (last != ELEMENTS + boundaries) {
            throw new IllegalStateException("the last element was " + last);
        }
        return last;
    }
}
