package io.millrace.streams.engine.segment;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Plans;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.engine.plan.PlannedStages;
import io.millrace.streams.graph.ThrowingFunction;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What graphs that are built anew share, and what they do not. */
class ShapeTest extends EngineTest {
    private static final int ELEMENTS = 1_000;
    private static final int BUILDS = 300;

    /** Classes of other tests count as live until they are collected. */
    @BeforeEach
    void makeRoom() {
        System.gc();
    }

    private static RunnableGraph<CompletionStage<Long>> builtAnew() {
        return Source.range(0, ELEMENTS)
                .map(x -> x + 3)
                .filter(x -> x % 2 == 0)
                .map(x -> x * 7)
                .toMat(Sink.fold(0L, (sum, x) -> sum + x), Keep.right());
    }

    private static Segment firstSegment(RunnableGraph<?> graph) {
        return ((SegmentStage) PlannedStages.of(Plans.compile(graph)).get(0)).segment();
    }

    @Test
    void graphsThatAreBuiltAnewAreHotTogether() throws Exception {
        long expected = await(builtAnew().run(runtime));
        for (int i = 0; i < BUILDS; i++) {
            assertThat(await(builtAnew().run(runtime))).isEqualTo(expected);
        }
        Await.until(
                "the next one that is built has the class of the others",
                () -> firstSegment(builtAnew()).body().getClass().isHidden());
        assertThat(await(builtAnew().run(runtime))).isEqualTo(expected);
    }

    private static RunnableGraph<CompletionStage<Integer>> adding(int captured) {
        return Source.range(0, 200_000).map(x -> x + captured).toMat(Sink.last(), Keep.right());
    }

    @Test
    void aFunctionThatCapturesIsNotTakenForAnother() throws Exception {
        for (int captured = 0; captured < 10; captured++) {
            assertThat(await(adding(captured).run(runtime))).isEqualTo(199_999 + captured);
        }
    }

    /** A function of which each says that it is the same as the others. */
    private record Alike(int added) implements ThrowingFunction<Integer, Integer> {
        @Override
        public Integer apply(Integer x) {
            return x + added;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Alike;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void whatAFunctionSaysOfItsEqualityIsNotAsked() throws Exception {
        for (int added = 0; added < 10; added++) {
            Source<Integer, ?> source = Source.range(0, 200_000).map(new Alike(added));
            assertThat(await(source.runWith(Sink.last(), runtime))).isEqualTo(199_999 + added);
        }
    }

    @Test
    void eachRunHasItsOwnStateWhateverIsShared() throws Exception {
        for (int i = 0; i < BUILDS; i++) {
            Source<List<Integer>, ?> groups =
                    Source.range(0, ELEMENTS).map(x -> x + 1).grouped(7).take(100);
            List<List<Integer>> all = await(groups.runWith(Sink.seq(), runtime));
            assertThat(all).hasSize(100).first().isEqualTo(List.of(1, 2, 3, 4, 5, 6, 7));
        }
    }

    private static RunnableGraph<CompletionStage<Long>> capturing(int[] captured) {
        return Source.range(0, ELEMENTS)
                .map(x -> x + captured[0])
                .filter(x -> x % 2 == captured[0] % 2)
                .toMat(Sink.fold(0L, (sum, x) -> sum + x + captured[0]), Keep.right());
    }

    private static long expected(int captured) {
        return LongStream.range(0, ELEMENTS)
                .map(x -> x + captured)
                .filter(x -> x % 2 == captured % 2)
                .map(x -> x + captured)
                .sum();
    }

    @Test
    void graphsWhoseFunctionsCaptureAreHotTogetherToo() throws Exception {
        for (int i = 0; i < BUILDS; i++) {
            assertThat(await(capturing(new int[] {i}).run(runtime))).isEqualTo(expected(i));
        }
        Await.until(
                "the next one that is built has the class of the others",
                () -> firstSegment(capturing(new int[] {1})).body().getClass().isHidden());
        for (int i = 0; i < BUILDS; i++) {
            assertThat(await(capturing(new int[] {i}).run(runtime))).isEqualTo(expected(i));
        }
    }

    private static RunnableGraph<CompletionStage<Long>> sliced(int from) {
        return Source.range(0, 2 * ELEMENTS)
                .drop(from)
                .take(ELEMENTS - from)
                .map(x -> x + 1)
                .toMat(Sink.fold(0L, (sum, x) -> sum + x), Keep.right());
    }

    @Test
    void graphsWhoseNumbersDifferAreHotTogetherToo() throws Exception {
        int builds = 2 * BUILDS;
        for (int i = 0; i < builds; i++) {
            assertSumOfSlice(i);
        }
        Await.until(
                "the next one that is built has the class of the others",
                () -> firstSegment(sliced(builds)).body().getClass().isHidden());
        Class<?> shared = firstSegment(sliced(builds)).body().getClass();
        for (int i = builds; i < builds + BUILDS; i++) {
            assertSumOfSlice(i);
            assertThat(firstSegment(sliced(i)).body()).isExactlyInstanceOf(shared);
        }
    }

    private static RunnableGraph<CompletionStage<Integer>> halved(int count) {
        return Source.range(0, ELEMENTS).take(count).map(x -> x / 2).toMat(Sink.last(), Keep.right());
    }

    @Test
    void graphsThatStayWithTheirNumbersKeepThemConstant() throws Exception {
        for (int count : new int[] {ELEMENTS - 2, ELEMENTS - 1}) {
            for (int i = 0; i < BUILDS; i++) {
                assertThat(await(halved(count).run(runtime))).isEqualTo((count - 1) / 2);
            }
            Await.until(
                    "the next one has a class for its numbers",
                    () -> firstSegment(halved(count))
                            .body()
                            .getClass()
                            .getName()
                            .contains("SegmentTemplate/"));
        }
    }

    private void assertSumOfSlice(int from) throws Exception {
        assertThat(await(sliced(from).run(runtime)))
                .isEqualTo(LongStream.rangeClosed(from + 1, ELEMENTS).sum());
    }

    @Test
    void whatFunctionsOfAHotShapeHaveCapturedIsKeptByNobody() throws Exception {
        List<WeakReference<int[]>> captured = new ArrayList<>();
        for (int i = 0; i < BUILDS; i++) {
            captured.add(runCapturing(new int[] {i}));
        }
        Await.until("none of it is kept", () -> {
            System.gc();
            return captured.stream().allMatch(reference -> reference.get() == null);
        });
    }

    private WeakReference<int[]> runCapturing(int[] array) throws Exception {
        assertThat(await(capturing(array).run(runtime))).isEqualTo(expected(array[0]));
        return new WeakReference<>(array);
    }

    @Test
    void ofAShapeThatIsNotHotNothingIsKept() throws Exception {
        WeakReference<int[]> captured = runWithSomethingCaptured(new int[] {5});
        Await.until("it is kept by nobody", () -> {
            System.gc();
            return captured.get() == null;
        });
    }

    private WeakReference<int[]> runWithSomethingCaptured(int[] array) throws Exception {
        assertThat(await(Source.range(0, ELEMENTS).map(x -> x + array[0]).runWith(Sink.last(), runtime)))
                .isEqualTo(ELEMENTS + 4);
        return new WeakReference<>(array);
    }
}
