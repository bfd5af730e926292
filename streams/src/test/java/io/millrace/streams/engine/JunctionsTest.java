package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FanOutShape2;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class JunctionsTest extends EngineTest {
    /** Two probes behind a junction with two outputs. */
    private static Sink<Integer, Pair<TestSink<Integer>, TestSink<Integer>>> twoProbes(
            Graph<FanOutShape<Integer, Integer>, NotUsed> junction) {
        return Sink.fromGraph(GraphBuilder.create(
                TestSink.<Integer>probe(), TestSink.<Integer>probe(), Keep.both(), (builder, first, second) -> {
                    FanOutShape<Integer, Integer> split = builder.add(junction);
                    builder.connect(split.out(0), first.in()).connect(split.out(1), second.in());
                    return SinkShape.of(split.in());
                }));
    }

    private Pair<TestSource<Integer>, Pair<TestSink<Integer>, TestSink<Integer>>> probed(
            Graph<FanOutShape<Integer, Integer>, NotUsed> junction) {
        return TestSource.<Integer>probe()
                .toMat(twoProbes(junction), Keep.both())
                .run(runtime);
    }

    @Test
    void balanceGivesEachElementToTheOutputThatHasAskedForTheLongest() {
        var running = probed(Junctions.balance(2));
        TestSource<Integer> source = running.first();
        TestSink<Integer> first = running.second().first();
        TestSink<Integer> second = running.second().second();
        second.request(1);
        source.expectPull().send(1);
        second.expectNext(1);
        first.request(2);
        source.expectPull().send(2).expectPull().send(3);
        first.expectNext(2, 3);
        first.cancel();
        second.request(2);
        source.expectPull().send(4);
        second.expectNext(4);
        source.send(5).complete();
        second.expectNext(5).expectComplete();
    }

    @Test
    void balanceKeepsAnElementWhoseOutputLeftForTheNextThatAsks() {
        var running = probed(Junctions.balance(2));
        running.second().first().request(1);
        running.first().expectPull();
        running.second().first().cancel();
        running.first().send(7).complete();
        running.second().second().request(1).expectNext(7).expectComplete();
    }

    @Test
    void balanceEndsWithItsLastOutput() {
        var running = probed(Junctions.balance(2));
        running.second().first().cancel();
        running.second().second().cancel(new IllegalStateException("mine"));
        assertThat(running.first().awaitCancellation()).hasMessage("mine");
    }

    @Test
    void partitionWaitsForTheChosenOutput() {
        var running = probed(Junctions.partition(2, x -> x % 2));
        TestSource<Integer> source = running.first();
        TestSink<Integer> even = running.second().first();
        TestSink<Integer> odd = running.second().second();
        even.request(2);
        source.expectPull().send(1);
        odd.request(1).expectNext(1);
        source.expectPull().send(2);
        even.expectNext(2);
        source.expectPull().send(3).complete();
        odd.request(1).expectNext(3).expectComplete();
        even.expectComplete();
    }

    @Test
    void partitionDropsWhatBelongsToAnOutputThatLeft() {
        var running = probed(Junctions.partition(2, x -> x % 2));
        running.second().first().request(1);
        running.first().expectPull().send(1);
        running.second().second().cancel();
        running.first().expectPull().send(3).expectPull().send(4).complete();
        running.second().first().expectNext(4).expectComplete();
    }

    @Test
    void partitionToAnOutputThatIsNotThereFailsTheStream() {
        var running = probed(Junctions.partition(2, x -> x));
        running.second().first().request(1);
        running.first().send(2);
        assertThat(running.second().first().expectError()).hasMessageContaining("output 2 of 2");
        assertThat(running.second().second().expectError()).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void unzipSplitsAndGoesOnWithTheOutputThatIsLeft() throws Exception {
        Graph<ClosedShape, Pair<CompletionStage<List<Integer>>, CompletionStage<List<String>>>> graph =
                GraphBuilder.create(Sink.<Integer>seq(), Sink.<String>seq(), Keep.both(), (builder, numbers, words) -> {
                    FanOutShape2<Integer, Integer, String> split =
                            builder.add(Junctions.<Integer, Integer, String>unzip(x -> new Pair<>(x, "n" + x)));
                    builder.connect(builder.add(Source.range(0, 4)).out(), split.in());
                    builder.connect(
                            builder.connect(split.out0(), Flow.<Integer>create().take(2)), numbers.in());
                    builder.connect(split.out1(), words.in());
                    return ClosedShape.of();
                });
        var results = RunnableGraph.fromGraph(graph).run(runtime);
        assertThat(await(results.first())).containsExactly(0, 1);
        assertThat(await(results.second())).containsExactly("n0", "n1", "n2", "n3");
    }

    @Test
    void sourcesAndFlowsAreCombinedInOneCall() throws Exception {
        List<Source<Integer, NotUsed>> three = List.of(Source.range(0, 2), Source.empty(), Source.range(2, 5));
        assertThat(await(Source.concatAll(three).runWith(Sink.seq(), runtime))).containsExactly(0, 1, 2, 3, 4);
        assertThat(await(Source.mergeAll(three).runWith(Sink.seq(), runtime))).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(await(Source.mergeAll(List.<Source<Integer, NotUsed>>of()).runWith(Sink.seq(), runtime)))
                .isEmpty();
        assertThat(await(Source.concatAll(List.<Source<Integer, NotUsed>>of()).runWith(Sink.seq(), runtime)))
                .isEmpty();
        assertThat(await(Source.range(0, 9)
                        .zipWith(Source.of("a", "b"), (n, s) -> s + n)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly("a0", "b1");
        assertThat(await(Source.range(0, 9)
                        .via(Flow.<Integer>create().zipWith(Source.of("a", "b"), (n, s) -> s + n))
                        .runWith(Sink.seq(), runtime)))
                .containsExactly("a0", "b1");
        assertThat(await(Source.range(0, 100)
                        .balance(3, Flow.<Integer, Integer>of(x -> x + 1).async())
                        .runWith(Sink.seq(), runtime)))
                .hasSize(100)
                .contains(1, 100);
    }

    @Test
    void alsoToSendsEverythingTwiceAndDivertToSendsItElsewhere() {
        Sink<Integer, TestSink<Integer>> probe = TestSink.probe();
        Pair<TestSink<Integer>, Sink<Integer, NotUsed>> side = probe.preMaterialize(runtime);
        TestSink<Integer> main = Source.range(0, 3).alsoTo(side.second()).runWith(TestSink.probe(), runtime);
        side.first().request(9);
        main.request(9).expectNext(0, 1, 2).expectComplete();
        side.first().expectNext(0, 1, 2).expectComplete();

        Pair<TestSink<Integer>, Sink<Integer, NotUsed>> odd = probe.preMaterialize(runtime);
        TestSink<Integer> even =
                Source.range(0, 5).divertTo(odd.second(), x -> x % 2 == 1).runWith(TestSink.probe(), runtime);
        odd.first().request(9);
        even.request(9).expectNext(0, 2, 4).expectComplete();
        odd.first().expectNext(1, 3).expectComplete();
    }
}
