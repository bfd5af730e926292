package io.millrace.benchmarks.schedule;

import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.reactivex.rxjava3.core.Flowable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Flux;

/** One run of numbers on another thread, awaited by this one. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // set by the set-up
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SubscribeOnBenchmark {
    @Param({"1", "1024", "1048576"})
    int elements;

    private StreamRuntime runtime;
    private Scheduler scheduler;
    private reactor.core.scheduler.Scheduler single;
    private RunnableGraph<CompletionStage<Integer>> graph;
    private Flowable<Integer> flowable;
    private Flux<Integer> flux;

    @Setup
    public void setUp() {
        runtime = StreamRuntime.create();
        scheduler = Schedulers.single();
        single = reactor.core.scheduler.Schedulers.newSingle("bench", true);
        graph = RunnableGraph.fromGraph(
                Source.range(0, elements).subscribeOn(scheduler).toMat(Sink.last(), io.millrace.streams.Keep.right()));
        flowable = Flowable.range(0, elements).subscribeOn(io.reactivex.rxjava3.schedulers.Schedulers.single());
        flux = Flux.range(0, elements).subscribeOn(single);
    }

    @TearDown
    public void tearDown() {
        runtime.close();
        scheduler.shutdown();
        single.dispose();
    }

    @Benchmark
    public int millrace() {
        return LastElement.checked(graph.run(runtime).toCompletableFuture().join(), elements);
    }

    @Benchmark
    public int rxjava() {
        return LastElement.checked(flowable.blockingLast(), elements);
    }

    @Benchmark
    public int reactor() {
        return LastElement.checked(flux.blockLast(), elements);
    }
}
