package io.millrace.streams.engine.plan;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Plans;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which graphs that are built anew have the plan of one before, and which must not. */
class PlanTableTest extends EngineTest {
    private static final int TIMES = 6;

    private static RunnableGraph<CompletionStage<List<Integer>>> constant() {
        return Source.range(0, 4).map(x -> x + 1).filter(x -> x != 2).toMat(Sink.seq(), Keep.right());
    }

    @Test
    void graphsBuiltAtOnePlaceHaveOnePlan() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(await(constant().run(runtime))).containsExactly(1, 3, 4);
        }
        assertThat(Plans.compile(constant())).isSameAs(Plans.compile(constant()));
    }

    @Test
    void eachHasItsOwnOrigin() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            int from = i;
            List<Integer> own = List.of(i, i + 1, i + 2);
            assertThat(await(Source.range(from, from + 3).map(x -> x * 2).runWith(Sink.seq(), runtime)))
                    .containsExactly(2 * i, 2 * i + 2, 2 * i + 4);
            assertThat(await(Source.from(own).map(x -> x * 3).runWith(Sink.seq(), runtime)))
                    .containsExactly(3 * i, 3 * i + 3, 3 * i + 6);
            assertThat(await(Source.single(i).map(x -> x * 5).runWith(Sink.head(), runtime)))
                    .isEqualTo(5 * i);
        }
    }

    @Test
    void originsOfOtherKindsAreNotTakenForEachOther() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            Source<Integer, NotUsed> plain = Source.range(0, 3);
            Source<Integer, NotUsed> far = Source.from(() -> List.of(7, 8).iterator());
            Source<Integer, NotUsed> near = Source.from(List.of(4, 5));
            for (Source<Integer, NotUsed> source : List.of(plain, far, near, plain)) {
                List<Integer> expected =
                        source == plain ? List.of(0, 1, 2) : source == far ? List.of(7, 8) : List.of(4, 5);
                assertThat(await(source.map(x -> x).runWith(Sink.seq(), runtime)))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void whatIsCapturedIsNeverShared() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            int captured = i;
            assertThat(await(Source.range(0, 2).map(x -> x + captured).runWith(Sink.seq(), runtime)))
                    .containsExactly(i, i + 1);
            assertThat(await(Source.range(0, 2).map(x -> x).runWith(Sink.fold(captured, Integer::sum), runtime)))
                    .isEqualTo(i + 1);
            assertThat(Source.range(0, 2)
                            .map(x -> x)
                            .toMat(Sink.ignore(), (left, right) -> captured)
                            .run(runtime))
                    .isEqualTo(i);
        }
    }

    @Test
    void numbersOfStepsAreCompared() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(await(Source.range(0, 9).take(i % 3).runWith(Sink.seq(), runtime)))
                    .hasSize(i % 3);
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
    void equalityOfTheUsersIsNotAsked() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(await(Source.single(1).map(new Alike(i)).runWith(Sink.head(), runtime)))
                    .isEqualTo(1 + i);
        }
    }

    @Test
    void orderAndLengthMatter() throws Exception {
        ThrowingFunction<Integer, Integer> plus = x -> x + 1;
        ThrowingFunction<Integer, Integer> times = x -> x * 10;
        for (int i = 0; i < TIMES; i++) {
            assertThat(await(Source.single(1).map(plus).map(times).runWith(Sink.head(), runtime)))
                    .isEqualTo(20);
            assertThat(await(Source.single(1).map(times).map(plus).runWith(Sink.head(), runtime)))
                    .isEqualTo(11);
            assertThat(await(Source.single(1).map(plus).map(plus).map(plus).runWith(Sink.head(), runtime)))
                    .isEqualTo(4);
        }
    }

    private static Source<Integer, NotUsed> counted(int steps) {
        Source<Integer, NotUsed> source = Source.single(0);
        for (int i = 0; i < steps; i++) {
            source = source.map(x -> x + 1);
        }
        return source;
    }

    @Test
    void linesOfEveryLengthAreFound() throws Exception {
        for (int steps : new int[] {1, 22, 23, 24, 25, 47, 48, 1_000}) {
            for (int i = 0; i < TIMES; i++) {
                assertThat(await(counted(steps).runWith(Sink.head(), runtime))).isEqualTo(steps);
            }
            assertThat(await(counted(steps).map(x -> x).async().map(x -> x).runWith(Sink.head(), runtime)))
                    .isEqualTo(steps);
        }
    }

    @Test
    void attributesKeepAGraphToItself() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            RunnableGraph<?> plain = Source.range(0, 4).map(x -> x + 1).toMat(Sink.seq(), Keep.right());
            assertThat(Plans.compile(plain.named("own" + i)).streamName()).isEqualTo("own" + i);
        }
    }

    @Test
    @SuppressWarnings("UnusedVariable") // garbage
    void nothingOfACallIsKept() throws Exception {
        List<WeakReference<Object>> given = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            List<Object> own = new ArrayList<>(List.of(new Object()));
            given.add(new WeakReference<>(own.get(0)));
            given.add(new WeakReference<>(own));
            assertThat(await(Source.from(own).map(x -> 1).runWith(Sink.seq(), runtime)))
                    .containsExactly(1);
        }
        Await.until("what was given is gone", () -> {
            System.gc();
            return given.stream().allMatch(reference -> reference.get() == null);
        });
    }

    @Test
    void manyPlacesShareTheTable() throws Exception {
        List<ThrowingFunction<Integer, Integer>> functions =
                List.of(x -> x + 1, x -> x + 2, x -> x + 3, x -> x + 4, x -> x + 5, x -> x + 6, x -> x + 7, x -> x + 8);
        for (int round = 0; round < 3; round++) {
            for (int code : IntStream.range(0, 4096).toArray()) {
                Source<Integer, NotUsed> source = Source.single(0);
                int expected = 0;
                for (int left = code, i = 0; i < 4; i++, left /= 8) {
                    source = source.map(functions.get(left % 8));
                    expected += left % 8 + 1;
                }
                assertThat(await(source.runWith(Sink.head(), runtime))).isEqualTo(expected);
            }
        }
    }

    @Test
    void anArrayOrAPlainObjectIsThatOfItsGraph() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            int[] sum = await(Source.range(0, 2)
                    .map(x -> x)
                    .runWith(
                            Sink.fold(new int[] {i}, (all, x) -> {
                                all[0] += x;
                                return all;
                            }),
                            runtime));
            assertThat(sum).containsExactly(i + 1);
            for (Object own : List.of(new byte[] {(byte) i}, new Object(), new Marker())) {
                assertThat(await(Source.repeat(own).map(x -> x).take(1).runWith(Sink.head(), runtime)))
                        .isSameAs(own);
                assertThat(await(Source.empty().defaultIfEmpty(own).map(x -> x).runWith(Sink.head(), runtime)))
                        .isSameAs(own);
            }
        }
    }

    /** Has nothing but its identity. */
    private static final class Marker {}

    /** Which value a user keeps, by an enum whose constants are of one class. */
    private enum Kept implements BiFunction<NotUsed, CompletionStage<List<Integer>>, Object> {
        ITS_NAME,
        NOTHING;

        @Override
        public Object apply(NotUsed left, CompletionStage<List<Integer>> right) {
            return this == ITS_NAME ? name() : left;
        }
    }

    @Test
    void eachGivesTheValueThatItKeeps() throws Exception {
        Source<Integer, NotUsed> source = Source.range(0, 3).map(x -> x + 1);
        Sink<Integer, CompletionStage<List<Integer>>> sink = Sink.seq();
        List<BiFunction<NotUsed, CompletionStage<List<Integer>>, ?>> kept =
                List.of(Keep.right(), Keep.left(), Keep.both(), Keep.none(), Kept.ITS_NAME, Kept.NOTHING);
        for (BiFunction<NotUsed, CompletionStage<List<Integer>>, ?> first : kept) {
            for (BiFunction<NotUsed, CompletionStage<List<Integer>>, ?> second : kept) {
                for (int i = 0; i < TIMES; i++) {
                    checkValue(first, source.toMat(sink, first).run(runtime));
                }
                for (int i = 0; i < TIMES; i++) {
                    checkValue(second, source.toMat(sink, second).run(runtime));
                }
            }
        }
    }

    /** Functions that are constants of one class. */
    private enum Change implements ThrowingFunction<Integer, Integer> {
        PLUS,
        TIMES;

        @Override
        public Integer apply(Integer x) {
            return this == PLUS ? x + 10 : x * 10;
        }
    }

    @Test
    void functionsThatAreConstantsOfAnEnumAreToldApart() throws Exception {
        for (Change change : List.of(Change.PLUS, Change.TIMES, Change.PLUS)) {
            for (int i = 0; i < TIMES; i++) {
                assertThat(await(Source.range(1, 3).map(change).runWith(Sink.seq(), runtime)))
                        .isEqualTo(change == Change.PLUS ? List.of(11, 12) : List.of(10, 20));
            }
        }
    }

    private static void checkValue(BiFunction<?, ?, ?> kept, Object value) throws Exception {
        if (kept == Keep.<Object, Object>right()) {
            assertThat(await((CompletionStage<?>) value)).isEqualTo(List.of(1, 2, 3));
        } else if (kept == Keep.<Object, Object>both()) {
            Pair<?, ?> both = (Pair<?, ?>) value;
            assertThat(both.first()).isEqualTo(NotUsed.NOT_USED);
            assertThat(await((CompletionStage<?>) both.second())).isEqualTo(List.of(1, 2, 3));
        } else {
            assertThat(value).isEqualTo(kept == Kept.ITS_NAME ? "ITS_NAME" : NotUsed.NOT_USED);
        }
    }

    @Test
    void graphsThatKeepTheSameByAnEnumHaveOnePlan() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            assertThat(keeping().run(runtime)).isEqualTo("ITS_NAME");
        }
        assertThat(Plans.compile(keeping())).isSameAs(Plans.compile(keeping()));
    }

    private static RunnableGraph<Object> keeping() {
        return Source.range(0, 5).map(x -> x - 1).toMat(Sink.seq(), Kept.ITS_NAME);
    }
}
