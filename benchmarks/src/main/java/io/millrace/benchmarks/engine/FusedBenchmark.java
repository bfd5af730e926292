package io.millrace.benchmarks.engine;

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

/** Elements a second through pipelines of synchronous operators, in a fresh JVM and in one that ran ten others before. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class FusedBenchmark {
    @Param({"map-filter", "mixed", "supervised"})
    String pipeline = "";

    @Param({"clean", "polluted"})
    String jvm = "";

    private RunnableGraph<CompletionStage<Integer>> millrace = FusedPipelines.millrace("map-filter");
    private org.apache.pekko.stream.javadsl.RunnableGraph<CompletionStage<Integer>> pekko =
            FusedPipelines.pekko("map-filter");
    private Single<Integer> rxJava = FusedPipelines.rxJava("map-filter");
    private Mono<Integer> reactor = FusedPipelines.reactor("map-filter");
    private int expected;

    @Setup
    public void build(Peers peers) {
        millrace = FusedPipelines.millrace(pipeline);
        pekko = FusedPipelines.pekko(pipeline);
        rxJava = FusedPipelines.rxJava(pipeline);
        reactor = FusedPipelines.reactor(pipeline);
        expected = FusedPipelines.expected(pipeline);
        if (jvm.equals("polluted")) {
            pollute(peers);
        }
    }

    /** Runs other streams of all libraries, so that calls have seen many types. */
    public static void pollute(Peers peers) {
        for (int i = 0; i < 10; i++) {
            Pollution other = new Pollution(i);
            for (int round = 0; round < 20; round++) {
                other.run(peers);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(FusedPipelines.ELEMENTS)
    public int millrace(Peers peers) {
        return check(millrace.run(peers.runtime).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(FusedPipelines.ELEMENTS)
    public int pekko(Peers peers) {
        return check(pekko.run(peers.system).toCompletableFuture().join());
    }

    @Benchmark
    @OperationsPerInvocation(FusedPipelines.ELEMENTS)
    public int rxJava() {
        return check(rxJava.blockingGet());
    }

    @Benchmark
    @OperationsPerInvocation(FusedPipelines.ELEMENTS)
    public int reactor() {
        Integer sum = reactor.block();
        return check(sum == null ? 0 : sum);
    }

    private int check(int sum) {
        if (sum != expected) {
            throw new IllegalStateException(pipeline + " gave " + sum + " instead of " + expected);
        }
        return sum;
    }

    /** One of ten pipelines of other operators and functions. */
    private static final class Pollution {
        private final int kind;
        private final List<Integer> input;

        Pollution(int kind) {
            this.kind = kind;
            this.input = IntStream.range(0, 10_000 + kind).boxed().toList();
        }

        void run(Peers peers) {
            int sum = OtherPipelines.millrace(kind, input, peers.runtime);
            check("pekko", sum, OtherPipelines.pekko(kind, input, peers.system));
            check("rxJava", sum, OtherPipelines.rxJava(kind, input));
            check("reactor", sum, OtherPipelines.reactor(kind, input));
        }

        private void check(String library, int ours, int theirs) {
            if (ours != theirs) {
                throw new IllegalStateException(library + " differs in pipeline " + kind + ": " + ours + ", " + theirs);
            }
        }
    }
}
