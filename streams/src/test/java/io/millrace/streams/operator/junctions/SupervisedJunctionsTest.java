package io.millrace.streams.operator.junctions;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Junctions drop what their function throws on, where supervision says so. */
@ExtendWith(StreamRuntimeExtension.class)
final class SupervisedJunctionsTest {
    private static final Attributes RESUME = Attributes.supervision(Supervision.resume());

    private final Queue<Integer> left = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> right = new ConcurrentLinkedQueue<>();

    private static Source<Integer, NotUsed> ratios(Source<Integer, NotUsed> divisors) {
        return Source.range(0, 3_000).zipWith(divisors, (n, divisor) -> n / divisor);
    }

    @Test
    @Operator("zipWith")
    void zipWithDropsWhatItsFunctionThrowsOn(StreamRuntime runtime) throws Exception {
        Source<Integer, NotUsed> divisors = Source.range(0, 3_000).map(n -> n % 3 == 1 ? 1 : 0);
        List<Integer> expected =
                await(Source.range(0, 3_000).filter(n -> n % 3 == 1).runWith(Sink.seq(), runtime));
        for (Source<Integer, NotUsed> source : List.of(ratios(divisors), ratios(divisors.async()))) {
            assertThat(await(source.withAttributes(RESUME).runWith(Sink.seq(), runtime)))
                    .isEqualTo(expected);
            assertThat(await(source.withAttributes(RESUME)
                            .mapAsync(2, this::soon)
                            .runWith(Sink.seq(), runtime)))
                    .isEqualTo(expected);
        }
        assertThat(awaitFailure(ratios(divisors).runWith(Sink.seq(), runtime))).isInstanceOf(ArithmeticException.class);
    }

    private CompletionStage<Integer> soon(int n) {
        return CompletableFuture.completedFuture(n);
    }

    @Test
    @Operator({"zipWith", "onErrorContinue"})
    void theLastPairMayBeDroppedAndWhoContinuesIsTold(StreamRuntime runtime) throws Exception {
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        Source<Integer, NotUsed> source = Source.of(1, 2, 3)
                .zipWith(Source.of(0, 1, 0), (n, divisor) -> n / divisor)
                .onErrorContinue(told::add);
        assertThat(await(source.runWith(Sink.seq(), runtime))).containsExactly(2);
        assertThat(told).hasSize(2).allMatch(ArithmeticException.class::isInstance);
    }

    @Test
    @Operator("zipWith")
    void aZipThatDropsEverythingCanBeCancelled(StreamRuntime runtime) throws Exception {
        CountDownLatch dropped = new CountDownLatch(5_000);
        TestSink<Integer> sink = Source.repeat(1)
                .<Integer, Integer>zipWith(Source.repeat(0), (n, divisor) -> {
                    dropped.countDown();
                    return n / divisor;
                })
                .withAttributes(RESUME)
                .runWith(TestSink.probe(), runtime);
        sink.request(1);
        Await.await(dropped, "drops");
        sink.cancel();
        StreamLeakCheck.assertNoStreams(runtime);
    }

    private Sink<Integer, NotUsed> unzipping(IntUnaryOperator half) {
        return Sink.fromGraph(GraphBuilder.create(builder -> {
            var split = builder.add(Junctions.<Integer, Integer, Integer>unzip(
                    n -> new Pair<>(n, half.applyAsInt(n) == 0 ? null : half.applyAsInt(n))));
            builder.connect(
                    split.out0(), builder.add(Sink.<Integer>foreach(left::add)).in());
            builder.connect(
                    split.out1(), builder.add(Sink.<Integer>foreach(right::add)).in());
            return SinkShape.of(split.in());
        }));
    }

    @Test
    @Operator("Junctions.unzip")
    void unzipDropsBothHalves(StreamRuntime runtime) {
        Source.of(4, 0, 2, 7, 1)
                .to(unzipping(n -> n == 7 ? 0 : 4 / n).withAttributes(RESUME))
                .run(runtime);
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(left).containsExactly(4, 2, 1);
        assertThat(right).containsExactly(1, 2, 4);
    }

    @Test
    @Operator("Junctions.unzip")
    void aPairThatHoldsNullFailsBothOutputsBeforeEitherHasItsHalf(StreamRuntime runtime) {
        Source.of(4, 2, 7, 1).to(unzipping(n -> n == 7 ? 0 : n)).run(runtime);
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(left).containsExactly(4, 2);
        assertThat(right).containsExactly(4, 2);
    }

    private static Sink<Integer, Pair<CompletionStage<List<Integer>>, CompletionStage<List<Integer>>>> parting() {
        return Sink.fromGraph(GraphBuilder.create(
                Sink.<Integer>seq(), Sink.<Integer>seq(), Keep.both(), (builder, first, second) -> {
                    var split = builder.add(Junctions.<Integer>partition(2, n -> 4 / n - 1));
                    builder.connect(split.out(0), first.in()).connect(split.out(1), second.in());
                    return SinkShape.of(split.in());
                }));
    }

    @Test
    @Operator("Junctions.partition")
    void partitionDropsWhatItHasNoOutputFor(StreamRuntime runtime) throws Exception {
        Source<Integer, NotUsed> numbers = Source.of(4, 0, 2, 1, 3, 0); // 1 has an output that there is not
        var parted = numbers.runWith(parting().withAttributes(RESUME), runtime);
        assertThat(await(parted.first())).containsExactly(4, 3);
        assertThat(await(parted.second())).containsExactly(2);
        assertThat(awaitFailure(numbers.runWith(parting(), runtime).first())).isInstanceOf(ArithmeticException.class);
    }

    @Test
    @Operator("divertTo")
    void divertToDropsWhatItsConditionThrowsOn(StreamRuntime runtime) throws Exception {
        Flow<Integer, Integer, NotUsed> diverting =
                Flow.<Integer>create().divertTo(Sink.foreach(left::add), n -> 4 / n == 1);
        assertThat(await(Source.of(0, 4, 1, 0, 2)
                        .via(diverting.withAttributes(RESUME))
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(1, 2);
        assertThat(left).containsExactly(4);
    }
}
