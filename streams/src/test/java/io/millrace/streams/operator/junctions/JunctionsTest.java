package io.millrace.streams.operator.junctions;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the table of {@link JunctionsContractTest} cannot show: several inputs and outputs in the hands of a test. */
@ExtendWith(StreamRuntimeExtension.class)
final class JunctionsTest {
    private StreamRuntime runtime;

    @BeforeEach
    void takeRuntime(StreamRuntime given) {
        runtime = given;
    }

    /** Two sources in the hands of the test that meet, and what comes of them. */
    private record Meeting<O>(TestSource<Integer> first, TestSource<Integer> second, TestSink<O> sink) {}

    private <O> Meeting<O> meet(BiFunction<Source<Integer, ?>, Source<Integer, ?>, Source<O, ?>> meeting) {
        AtomicReference<TestSource<Integer>> first = new AtomicReference<>();
        AtomicReference<TestSource<Integer>> second = new AtomicReference<>();
        TestSink<O> sink = meeting.apply(probe(first), probe(second)).runWith(TestSink.<O>probe(), runtime);
        return new Meeting<>(first.get(), second.get(), sink);
    }

    private static Source<Integer, NotUsed> probe(AtomicReference<TestSource<Integer>> holder) {
        return TestSource.<Integer>probe().mapMaterializedValue(made -> {
            holder.set(made);
            return NotUsed.NOT_USED;
        });
    }

    private <O> List<O> all(Source<O, ?> source) throws Exception {
        return await(source.runWith(Sink.seq(), runtime));
    }

    private static <T, O> Source<O, NotUsed> joined(
            Graph<FanInShape<T, O>, NotUsed> junction, List<Source<T, NotUsed>> sources) {
        return Source.fromGraph(GraphBuilder.create(builder -> {
            FanInShape<T, O> join = builder.add(junction);
            for (int i = 0; i < sources.size(); i++) {
                builder.connect(builder.add(sources.get(i)).out(), join.in(i));
            }
            return SourceShape.of(join.out());
        }));
    }

    @Test
    @Operator("mergePreferred")
    void ofTwoThatWaitThePreferredGoesFirst() {
        Meeting<Integer> meeting = meet((first, second) -> first.mergePreferred(second, true));
        meeting.first().send(1).send(2);
        meeting.second().send(10).send(20);
        // Both probes hand over what they have before the sink asks for anything.
        meeting.sink().request(1);
        List<Integer> seen = new ArrayList<>(List.of(meeting.sink().expectNext()));
        meeting.sink().request(3);
        seen.addAll(meeting.sink().expectNextN(3));
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 10, 20);
        meeting.first().complete();
        meeting.second().complete();
        meeting.sink().request(1).expectComplete();
    }

    @Test
    @Operator("Junctions.mergePreferred")
    void thePreferredInputNeverWaitsForTheOthers() throws Exception {
        Source<Integer, NotUsed> merged = joined(
                Junctions.mergePreferred(3),
                List.of(Source.range(0, 100), Source.range(100, 200), Source.range(200, 300)));
        List<Integer> seen = all(merged);
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 300).boxed().toList());
        assertThat(seen.indexOf(99)).isLessThan(150);
    }

    @Test
    @Operator({"mergePrioritized", "Junctions.mergePrioritized"})
    void inputsThatWaitTakeTurnsByTheirWeights() throws Exception {
        Source<String, NotUsed> merged =
                joined(Junctions.mergePrioritized(3, 1), List.of(Source.repeat("often"), Source.repeat("seldom")));
        List<String> seen = all(merged.take(400));
        assertThat(seen.stream().filter("often"::equals).count()).isBetween(280L, 320L);
    }

    @Test
    @Operator({"mergePrioritized", "interleave", "parallel", "parallelOrdered", "balance"})
    void badArgumentsAreRefusedWithTheirValue() {
        Source<Integer, NotUsed> numbers = Source.range(0, 3);
        assertThatThrownBy(() -> numbers.mergePrioritized(numbers, 0, 1)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> numbers.interleave(numbers, 0, true)).hasMessageContaining("at least 1, not 0");
        Flow<Integer, Integer, NotUsed> rail = Flow.create();
        assertThatThrownBy(() -> numbers.parallel(0, rail)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> numbers.parallelOrdered(-1, rail)).hasMessageContaining("at least 1, not -1");
        assertThatThrownBy(() -> numbers.balance(0, rail)).hasMessageContaining("at least 1, not 0");
    }

    @Test
    @Operator("Junctions.mergeSorted")
    void sortedInputsBecomeOneSortedStream() throws Exception {
        Source<Integer, NotUsed> merged = joined(
                Junctions.mergeSorted(3, Comparator.<Integer>naturalOrder()),
                List.of(Source.of(1, 4, 7), Source.empty(), Source.of(0, 4, 4, 9)));
        assertThat(all(merged)).containsExactly(0, 1, 4, 4, 4, 7, 9);
    }

    @Test
    @Operator("Junctions.mergeSequence")
    void numbersDecideTheOrder() throws Exception {
        Source<Integer, NotUsed> merged = joined(
                Junctions.mergeSequence(3, n -> (long) n),
                List.of(Source.of(2, 3, 8), Source.of(0, 5, 6), Source.of(1, 4, 7)));
        assertThat(all(merged)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    @Operator("mergeSequence")
    void eachElementIsAskedForItsNumberOnce() throws Exception {
        List<Integer> asked = new ArrayList<>();
        Source<Integer, NotUsed> merged = Source.of(100, 101).mergeSequence(Source.range(0, 100), n -> {
            asked.add(n);
            return (long) n;
        });
        assertThat(all(merged)).hasSize(102).isSorted();
        assertThat(asked).hasSize(102).doesNotHaveDuplicates();
    }

    @Test
    @Operator("mergeSequence")
    void aNumberThatIsMissingOrComesTwiceFailsTheStream() {
        assertThatThrownBy(() -> all(Source.of(0, 2).mergeSequence(Source.of(3), n -> (long) n)))
                .hasStackTraceContaining("number 1 is missing");
        assertThatThrownBy(() -> all(Source.of(0, 1).mergeSequence(Source.of(0, 2), n -> (long) n)))
                .hasStackTraceContaining("number 0 came at input");
    }

    @Test
    @Operator({"mergeDelayError", "Junctions.mergeDelayError"})
    void failuresOfAMergeAreReportedWhenAllHaveEnded() {
        Meeting<Integer> meeting = meet(Source::mergeDelayError);
        IllegalStateException first = new IllegalStateException("first");
        meeting.first().fail(first);
        meeting.second().send(1).send(2);
        meeting.sink().request(2).expectNext(1, 2);
        meeting.second().fail(new IllegalStateException("second"));
        Throwable seen = meeting.sink().request(1).expectError();
        assertThat(seen).isSameAs(first);
        assertThat(seen.getSuppressed()).extracting(Throwable::getMessage).containsExactly("second");
        assertThatThrownBy(() -> all(joined(
                        Junctions.mergeDelayError(2), List.of(Source.<Integer>failed(first), Source.<Integer>empty()))))
                .hasCause(first);
    }

    @Test
    @Operator({"concatDelayError", "Junctions.concatDelayError"})
    void failuresOfAConcatAreReportedAtItsEnd() throws Exception {
        IllegalStateException first = new IllegalStateException("first");
        List<Integer> seen = new ArrayList<>();
        Source<Integer, NotUsed> concatenated = joined(
                Junctions.concatDelayError(4),
                List.of(
                        Source.of(1),
                        Source.failed(first),
                        Source.of(2),
                        Source.failed(new IllegalStateException("second"))));
        CompletionStage<Done> end = concatenated.runWith(Sink.foreach(seen::add), runtime);
        assertThat(catchThrowable(() -> await(end))).hasCause(first);
        assertThat(first.getSuppressed()).hasSize(1);
        assertThat(seen).containsExactly(1, 2);
    }

    @Test
    @Operator({"mergeLatest", "Junctions.mergeLatest"})
    void eachElementComesWithTheLatestOfTheOthers() throws Exception {
        Meeting<List<Integer>> meeting = meet(Source::mergeLatest);
        meeting.sink().request(10);
        meeting.first().send(1).send(2);
        meeting.sink().expectNothing(Duration.ofMillis(20));
        meeting.second().send(10);
        meeting.sink().expectNext(List.of(2, 10));
        meeting.first().send(3).complete();
        meeting.sink().expectNext(List.of(3, 10));
        meeting.second().send(20).send(30).complete();
        meeting.sink().expectNext(List.of(3, 20), List.of(3, 30)).expectComplete();
        Source<List<Integer>, NotUsed> three =
                joined(Junctions.mergeLatest(3), List.of(Source.of(1), Source.of(2), Source.of(3)));
        assertThat(all(three)).containsExactly(List.of(1, 2, 3));
    }

    @Test
    @Operator("mergeLatest")
    void withoutAnElementFromOneInputThereIsNothingToWaitFor() {
        Meeting<List<Integer>> meeting = meet(Source::mergeLatest);
        meeting.sink().request(1);
        meeting.first().complete();
        meeting.sink().expectComplete();
        meeting.second().awaitCancellation();
    }

    @Test
    @Operator("mergeLatest")
    void everyElementWaitsForDemandWhenAllAreKnown() {
        Meeting<List<Integer>> meeting = meet(Source::mergeLatest);
        meeting.second().send(9).complete();
        meeting.first().send(1).send(2).complete();
        meeting.sink().request(1);
        List<Integer> head = meeting.sink().expectNext();
        assertThat(head).isIn(List.of(1, 9), List.of(2, 9));
        meeting.sink().cancel();
    }

    @Test
    @Operator("withLatestFrom")
    void elementsMeetTheLatestOfTheOther() {
        Meeting<Pair<Integer, Integer>> meeting = meet((first, second) -> first.withLatestFrom(second));
        meeting.sink().request(3);
        meeting.first().expectPull();
        meeting.second().expectPull().send(10).expectPull();
        meeting.first().send(1);
        meeting.sink().expectNext(new Pair<>(1, 10));
        meeting.second().complete();
        meeting.first().send(2).complete();
        meeting.sink().expectNext(new Pair<>(2, 10)).expectComplete();
    }

    @Test
    @Operator("withLatestFrom")
    void elementsBeforeTheFirstOfTheOtherAreDropped() throws Exception {
        assertThat(all(Source.range(0, 5).withLatestFrom(Source.<Integer>empty())))
                .isEmpty();
        Meeting<Integer> meeting = meet((first, second) -> first.withLatestFrom(second, Integer::sum));
        meeting.sink().request(1);
        meeting.second().complete();
        meeting.sink().expectComplete();
        meeting.first().awaitCancellation();
        Meeting<Integer> failing = meet((first, second) -> first.withLatestFrom(second, Integer::sum));
        failing.second().fail(new IllegalStateException("mine"));
        assertThat(failing.sink().expectError()).hasMessage("mine");
    }

    @Test
    @Operator({"withLatestFrom", "zipLatestWith"})
    void anElementForWhichTheFunctionThrowsIsDroppedUnderSupervision() {
        Attributes resume = Attributes.supervision(Supervision.resume());
        Meeting<Integer> meeting = meet(
                (first, second) -> first.withLatestFrom(second, (a, b) -> a / b).withAttributes(resume));
        meeting.second().expectPull().send(0).expectPull();
        meeting.sink().request(1);
        meeting.first().expectPull().send(1).expectPull();
        meeting.second().send(2).expectPull();
        meeting.first().send(8);
        meeting.sink().expectNext(4).cancel();
        Meeting<Integer> zipped = meet(
                (first, second) -> first.zipLatestWith(second, (a, b) -> a / b).withAttributes(resume));
        zipped.sink().request(1);
        zipped.first().send(8);
        zipped.second().send(0).send(4);
        zipped.sink().expectNext(2).cancel();
        Meeting<Integer> failing = meet((first, second) -> first.zipLatestWith(second, (a, b) -> a / b));
        failing.sink().request(1);
        failing.first().send(8);
        failing.second().send(0);
        assertThat(failing.sink().expectError()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    @Operator({"zipLatest", "zipLatestWith"})
    void theLatestOfEachMeetWhenOneIsNewAndDownstreamAsks() {
        Meeting<Pair<Integer, Integer>> meeting = meet(Source::zipLatest);
        meeting.sink().request(2);
        meeting.first().expectPull().send(1);
        meeting.second().expectPull().send(10);
        meeting.sink().expectNext(new Pair<>(1, 10));
        meeting.second().send(20);
        meeting.sink().expectNext(new Pair<>(1, 20));
        meeting.first().complete();
        meeting.sink().expectComplete();
        meeting.second().awaitCancellation();
    }

    @Test
    @Operator("zipLatest")
    void aNewPairIsEmittedBeforeTheCompletion() throws Exception {
        assertThat(all(Source.of(1).zipLatest(Source.of(2)))).containsExactly(new Pair<>(1, 2));
        assertThat(all(Source.of(1).zipLatest(Source.<Integer>empty()))).isEmpty();
        Meeting<Pair<Integer, Integer>> cancelled = meet(Source::zipLatest);
        cancelled.sink().cancel();
        cancelled.first().awaitCancellation();
        cancelled.second().awaitCancellation();
    }

    @Test
    @Operator({"interleave", "Junctions.interleave"})
    void inputsTakeTurnsAlsoWhenOneIsSlow() throws Exception {
        Source<Integer, NotUsed> three = joined(
                Junctions.interleave(3, 2, false),
                List.of(Source.of(1, 2, 3), Source.of(10), Source.of(100, 200, 300)));
        assertThat(all(three)).containsExactly(1, 2, 10, 100, 200, 3, 300);
        Meeting<Integer> meeting = meet((first, second) -> first.interleave(second, 1, false));
        meeting.sink().request(3);
        meeting.second().send(10).send(20);
        meeting.sink().expectNothing(Duration.ofMillis(20));
        meeting.first().send(1);
        meeting.sink().expectNext(1, 10);
        meeting.first().complete();
        meeting.sink().expectNext(20).cancel();
    }

    @Test
    @Operator({"concat", "Junctions.concat", "prepend"})
    void theSecondIsNotAskedBeforeItsTurn() {
        Meeting<Integer> meeting = meet((first, second) -> second.prepend(first));
        meeting.sink().request(2);
        meeting.first().send(1);
        meeting.sink().expectNext(1);
        meeting.second().send(2);
        meeting.first().complete();
        meeting.sink().expectNext(2);
        meeting.second().fail(new IllegalStateException("mine"));
        assertThat(meeting.sink().expectError()).hasMessage("mine");
    }

    @Test
    @Operator("concatLazy")
    void theOtherSourceRunsOnlyWhenItsTurnComes() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Source<Integer, NotUsed> other = Source.<Integer, NotUsed>lazy(() -> {
                    runs.incrementAndGet();
                    return Source.of(3);
                })
                .mapMaterializedValue(value -> {
                    runs.incrementAndGet();
                    return NotUsed.NOT_USED;
                });
        assertThat(all(Source.of(1, 2).concatLazy(other).take(2))).containsExactly(1, 2);
        assertThat(runs).hasValue(0);
        assertThat(all(Source.of(1, 2).concatLazy(other))).containsExactly(1, 2, 3);
        assertThat(runs).hasValue(2);
    }

    @Test
    @Operator("orElse")
    void theSecondIsCancelledOnceTheFirstHasAnElement() {
        Meeting<Integer> meeting = meet(Source::orElse);
        meeting.sink().request(1);
        meeting.first().send(1);
        meeting.sink().expectNext(1);
        meeting.second().awaitCancellation();
        meeting.sink().cancel();
        Meeting<Integer> empty = meet(Source::orElse);
        empty.sink().request(1);
        empty.second().fail(new IllegalStateException("mine"));
        empty.first().complete();
        assertThat(empty.sink().expectError()).hasMessage("mine");
    }

    @Test
    @Operator({"firstOf", "Junctions.firstOf"})
    void theFirstToEmitWinsAndTheOthersAreCancelled() {
        Meeting<Integer> meeting = meet(Source::firstOf);
        meeting.sink().request(2);
        meeting.second().send(7);
        meeting.sink().expectNext(7);
        meeting.first().awaitCancellation();
        meeting.second().send(8).complete();
        meeting.sink().expectNext(8).expectComplete();
    }

    @Test
    @Operator("firstOf")
    void whoFailsWithoutAnElementLeavesTheRace() throws Exception {
        IllegalStateException first = new IllegalStateException("first");
        Source<Integer, NotUsed> three =
                joined(Junctions.firstOf(3), List.of(Source.failed(first), Source.empty(), Source.of(1)));
        assertThat(all(three)).containsExactly(1);
        assertThatThrownBy(() -> all(Source.<Integer>failed(first).firstOf(Source.empty())))
                .hasCause(first);
    }

    @Test
    @Operator({"zip", "zipWith", "Junctions.zip", "Junctions.zipWith", "Junctions.merge", "merge"})
    void junctionsOfTwoInputsEndWithTheirInputs() {
        Meeting<Integer> zipped = meet((first, second) -> first.zipWith(second, Integer::sum));
        zipped.sink().request(1);
        zipped.first().complete();
        zipped.sink().expectComplete();
        zipped.second().awaitCancellation();
        Meeting<Integer> merged = meet((first, second) -> first.merge(second));
        merged.sink().request(2);
        merged.first().complete();
        merged.second().send(1);
        merged.sink().expectNext(1);
        merged.second().fail(new IllegalStateException("mine"));
        assertThat(merged.sink().expectError()).hasMessage("mine");
    }

    @Test
    @Operator("zipAll")
    void whatIsMissingOfTheSlowerIsNotReplacedBeforeItHasEnded() {
        Meeting<Pair<Integer, Integer>> meeting = meet((first, second) -> first.zipAll(second, 0, -1));
        meeting.sink().request(3);
        meeting.first().send(1).send(2);
        meeting.second().send(10);
        meeting.sink().expectNext(new Pair<>(1, 10));
        meeting.second().complete();
        meeting.sink().expectNext(new Pair<>(2, -1));
        meeting.first().complete();
        meeting.sink().expectComplete();
    }

    @Test
    @Operator("merge")
    void anInputThatAlwaysHasSomethingStarvesNoOther() {
        Source<Integer, ?> endless = Source.unfold(100, n -> Optional.of(new Pair<>(n + 1, n)));
        TestSink<Integer> sink = Source.range(0, 3).merge(endless).runWith(TestSink.<Integer>probe(), runtime);
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            seen.add(sink.request(1).expectNext());
        }
        sink.cancel();
        assertThat(seen).contains(0, 1, 2);
    }
}
