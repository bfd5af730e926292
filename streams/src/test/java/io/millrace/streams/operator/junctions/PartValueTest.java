package io.millrace.streams.operator.junctions;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.OperatorTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** {@code viaMat} with an operator: what a part that an operator puts beside the line gives back. */
class PartValueTest extends OperatorTest {
    private static Source<Integer, NotUsed> numbers() {
        return Source.range(1, 5);
    }

    private <A, B> void ends(
            RunnableGraph<Pair<CompletionStage<A>, CompletionStage<List<B>>>> graph, A part, List<B> all)
            throws Exception {
        for (int run = 0; run < 2; run++) {
            Pair<CompletionStage<A>, CompletionStage<List<B>>> values = graph.run(runtime);
            assertThat(await(values.second())).isEqualTo(all);
            assertThat(await(values.first())).isEqualTo(part);
        }
    }

    @Test
    void aSinkBesideTheLineGivesItsValue() throws Exception {
        ends(
                numbers()
                        .viaMat(Sink.<Integer>count(), Flow::alsoTo, Keep.right())
                        .toMat(Sink.seq(), Keep.both()),
                4L,
                List.of(1, 2, 3, 4));
        ends(
                numbers()
                        .viaMat(Sink.<Integer>count(), Flow::wireTap, Keep.right())
                        .toMat(Sink.seq(), Keep.both()),
                4L,
                List.of(1, 2, 3, 4));
        ends(
                numbers()
                        .viaMat(Sink.<Integer>seq(), (flow, even) -> flow.divertTo(even, n -> n % 2 == 0), Keep.right())
                        .toMat(Sink.seq(), Keep.both()),
                List.of(2, 4),
                List.of(1, 3));
    }

    /** A source that gives back a future of how it ended. */
    private static Source<Integer, CompletionStage<String>> other() {
        return Source.of(7, 8).watchTermination((none, end) -> end.thenApply(done -> "over"));
    }

    private void joined(
            BiFunction<
                            Flow<Integer, Integer, NotUsed>,
                            Graph<SourceShape<Integer>, CompletionStage<String>>,
                            Flow<Integer, Integer, NotUsed>>
                    operator,
            Integer... all)
            throws Exception {
        ends(numbers().viaMat(other(), operator, Keep.right()).toMat(Sink.seq(), Keep.both()), "over", List.of(all));
    }

    @Test
    void aSourceThatJoinsGivesItsValue() throws Exception {
        joined(Flow::concat, 1, 2, 3, 4, 7, 8);
        joined(Flow::prepend, 7, 8, 1, 2, 3, 4);
        joined(Flow::concatDelayError, 1, 2, 3, 4, 7, 8);
        joined((flow, more) -> flow.mergeSorted(more, Integer::compare), 1, 2, 3, 4, 7, 8);
        joined((flow, more) -> flow.interleave(more, 1, false), 1, 7, 2, 8, 3, 4);
        joined((flow, more) -> flow.filter(n -> n > 5).orElse(more), 7, 8);
        joined((flow, more) -> flow.zipWith(more, Integer::sum), 8, 10);
        joined(
                (flow, more) ->
                        Flow.<Integer>create().drop(1).via(flow.concat(more)).take(9),
                2,
                3,
                4,
                7,
                8);
    }

    @Test
    void theElementsAreThoseThatTheOperatorMakes() throws Exception {
        Pair<CompletionStage<String>, CompletionStage<List<Pair<Integer, Integer>>>> values = numbers()
                .viaMat(other(), Flow::zip, Keep.right())
                .toMat(Sink.<Pair<Integer, Integer>>seq(), Keep.both())
                .run(runtime);
        assertThat(await(values.second())).containsExactly(new Pair<>(1, 7), new Pair<>(2, 8));
        assertThat(await(values.first())).isEqualTo("over");
    }

    @Test
    void aSourceInAFlowIsSteeredByItsValue() throws Exception {
        Flow<Integer, Integer, CompletableFuture<Optional<Integer>>> open =
                Flow.<Integer>create().viaMat(Source.<Integer>maybe(), Flow::merge, Keep.right());
        Pair<CompletableFuture<Optional<Integer>>, CompletionStage<List<Integer>>> values = Source.of(1)
                .viaMat(open, Keep.right())
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        values.first().complete(Optional.of(2));
        assertThat(await(values.second())).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void severalPartsGiveTheirValues() throws Exception {
        Pair<Pair<CompletionStage<Long>, CompletionStage<String>>, CompletionStage<List<Integer>>> values = numbers()
                .viaMat(Sink.<Integer>count(), Flow::alsoTo, Keep.right())
                .viaMat(other(), Flow::concat, Keep.both())
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        assertThat(await(values.second())).containsExactly(1, 2, 3, 4, 7, 8);
        assertThat(await(values.first().first())).isEqualTo(4);
        assertThat(await(values.first().second())).isEqualTo("over");
    }

    @Test
    void anIslandOfItsOwnGivesItsValue() throws Exception {
        ends(
                numbers()
                        .viaMat(
                                Sink.<Integer>count(),
                                (flow, count) -> flow.async()
                                        .alsoTo(count)
                                        .named("counted")
                                        .async(),
                                Keep.right())
                        .toMat(Sink.seq(), Keep.both()),
                4L,
                List.of(1, 2, 3, 4));
    }

    @Test
    void whatTheOperatorDoesWithOtherValuesIsDone() throws Exception {
        List<Object> told = new ArrayList<>();
        Flow<Integer, Integer, CompletionStage<Long>> flow = Flow.<Integer>create()
                .viaMat(
                        Sink.<Integer>count(),
                        (line, count) -> line.mapMaterializedValue(none -> "before")
                                .alsoTo(count)
                                .viaMat(Flow.<Integer>create().mapMaterializedValue(none -> "after"), Keep.both())
                                .mapMaterializedValue(told::add),
                        Keep.right());
        Pair<CompletionStage<Long>, CompletionStage<List<Integer>>> values = numbers()
                .viaMat(flow, Keep.right())
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        await(values.second());
        assertThat(await(values.first())).isEqualTo(4);
        assertThat(told).containsExactly(new Pair<>("before", "after"));
    }

    @Test
    void aPartWhoseValueTheOperatorKeepsGivesItTwice() throws Exception {
        List<Object> told = new ArrayList<>();
        Pair<CompletableFuture<Optional<Integer>>, CompletionStage<List<Integer>>> values = numbers()
                .viaMat(
                        Source.<Integer>maybe(),
                        (flow, last) -> Flow.fromGraph(GraphBuilder.create(last, (builder, end) -> {
                                    FanInShape<Integer, Integer> join = builder.add(Junctions.<Integer>concat(2));
                                    builder.connect(end.out(), join.in(1));
                                    return FlowShape.of(join.in(0), join.out());
                                }))
                                .mapMaterializedValue(told::add),
                        Keep.right())
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        values.first().complete(Optional.of(9));
        assertThat(await(values.second())).containsExactly(1, 2, 3, 4, 9);
        assertThat(told).containsExactly(values.first());
    }

    @Test
    void aPartThatIsNotInTheGraphOrTwiceIsRefused() {
        assertThatThrownBy(() -> numbers().viaMat(other(), (flow, none) -> flow, Keep.right()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("viaMat: the operator must put the part that it is given into its graph once,"
                        + " not 0 times");
        assertThatThrownBy(() -> numbers().viaMat(other(), Flow::concatLazy, Keep.right()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("concatLazy");
        assertThatThrownBy(() -> numbers()
                        .viaMat(other(), (flow, more) -> flow.merge(more).merge(more), Keep.right()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 2 times");
        assertThatThrownBy(() -> numbers()
                        .<SourceShape<Integer>, Integer, NotUsed, Object>viaMat(
                                Source.of(1), (flow, more) -> null, Keep.right()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("viaMat: the operator returned null");
    }
}
