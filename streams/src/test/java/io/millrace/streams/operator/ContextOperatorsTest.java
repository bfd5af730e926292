package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.FlowWithContext;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceWithContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Operators of elements with contexts that do more than change one element. */
@Operator({"asSourceWithContext", "asFlowWithContext"})
class ContextOperatorsTest extends OperatorTest {
    private static SourceWithContext<Integer, String, NotUsed> numbers() {
        return Source.range(1, 5).asSourceWithContext(n -> "c" + n);
    }

    private static final List<Pair<Integer, String>> ALL =
            List.of(new Pair<>(1, "c1"), new Pair<>(2, "c2"), new Pair<>(3, "c3"), new Pair<>(4, "c4"));

    @Test
    void windowsHaveTheContextsOfTheirElements() throws Exception {
        assertThat(all(numbers().sliding(3, 2).asSource()))
                .containsExactly(
                        new Pair<>(List.of(1, 2, 3), List.of("c1", "c2", "c3")),
                        new Pair<>(List.of(3, 4), List.of("c3", "c4")));
    }

    @Test
    void futuresOfOneKeyRunOneAfterTheOtherAndKeepTheirContexts() throws Exception {
        Map<Integer, CompletableFuture<String>> begun = new ConcurrentHashMap<>();
        CompletionStage<List<Pair<String, String>>> results = numbers()
                .<Integer, String>mapAsyncPartitioned(
                        4, n -> n % 2, n -> begun.computeIfAbsent(n, key -> new CompletableFuture<>()))
                .asSource()
                .runWith(Sink.seq(), runtime);
        Await.until(() -> begun.size() == 2);
        assertThat(begun).containsOnlyKeys(1, 2);
        begun.get(2).complete("two");
        Await.until(() -> begun.containsKey(4));
        begun.get(4).complete("four");
        begun.get(1).complete("one");
        Await.until(() -> begun.containsKey(3));
        begun.get(3).complete("three");
        assertThat(await(results))
                .containsExactly(
                        new Pair<>("one", "c1"),
                        new Pair<>("two", "c2"),
                        new Pair<>("three", "c3"),
                        new Pair<>("four", "c4"));
    }

    @Test
    void aFailureIsReplaced() {
        IllegalStateException other = new IllegalStateException("other");
        assertThatThrownBy(() -> all(numbers()
                        .<Integer>map(n -> {
                            throw new IllegalArgumentException("one");
                        })
                        .mapError(failure -> other)
                        .asSource()))
                .hasRootCause(other);
    }

    @Test
    void elementsOrContextsGoToASinkToo() throws Exception {
        List<Object> seen = new CopyOnWriteArrayList<>();
        Sink<Object, CompletionStage<Done>> elements = Sink.foreach(n -> seen.add("element " + n));
        Sink<Object, CompletionStage<Done>> contexts = Sink.foreach(c -> seen.add("context " + c));
        assertThat(all(numbers().alsoTo(elements).alsoToContext(contexts).asSource()))
                .isEqualTo(ALL);
        nothingRuns();
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "element 1",
                        "element 2",
                        "element 3",
                        "element 4",
                        "context c1",
                        "context c2",
                        "context c3",
                        "context c4");
    }

    @Test
    void aTapOfElementsOrContextsDoesNotEndTheStream() throws Exception {
        List<Object> seen = new CopyOnWriteArrayList<>();
        Sink<Object, NotUsed> first = Flow.create().take(1).to(Sink.foreach(seen::add));
        assertThat(all(numbers().wireTap(first).wireTapContext(first).asSource()))
                .isEqualTo(ALL);
        nothingRuns();
        assertThat(seen).containsExactlyInAnyOrder(1, "c1");
    }

    @Test
    void aThrottleLetsThroughWhatCameWithItsContext() throws Exception {
        Duration per = Duration.ofMillis(1);
        assertThat(all(numbers()
                        .throttle(1000, per)
                        .throttle(1000, per, 10, ThrottleMode.SHAPING)
                        .asSource()))
                .isEqualTo(ALL);
        assertThat(failureOf(numbers()
                        .throttle(1, Duration.ofDays(1), 1, ThrottleMode.ENFORCING)
                        .asSource()))
                .hasMessageContaining("throttle");
    }

    @Test
    void aLogTellsElementsWithTheirContexts() throws Exception {
        LoggedLines lines = new LoggedLines();
        LogSettings settings = LogSettings.defaults().withLogger(lines);
        assertThat(all(numbers()
                        .filter(n -> n == 1)
                        .log("numbers", settings)
                        .log("none")
                        .asSource()))
                .containsExactly(new Pair<>(1, "c1"));
        assertThat(lines.seen())
                .containsExactly("DEBUG [numbers] element: Pair[first=1, second=c1]", "DEBUG [numbers] completed");
    }

    @Test
    void valuesOfFlowsAreKept() throws Exception {
        FlowWithContext<Object, Object, Object, Object, CompletionStage<Done>> watched =
                FlowWithContext.fromPairs(Flow.<Pair<Object, Object>>create().watchTermination(Keep.right()));
        SourceWithContext<Object, Object, CompletionStage<String>> source =
                numbers().viaMat(watched, Keep.right()).mapMaterializedValue(end -> end.thenApply(done -> "over"));
        Pair<CompletionStage<String>, CompletionStage<List<Pair<Object, Object>>>> values = source.asSource()
                .toMat(Sink.<Pair<Object, Object>>seq(), Keep.both())
                .run(runtime);
        assertThat(await(values.second())).isEqualTo(ALL);
        assertThat(await(values.first())).isEqualTo("over");

        FlowWithContext<Integer, String, Integer, String, String> named = FlowWithContext.<Integer, String>create()
                .viaMat(
                        FlowWithContext.<Integer, String>create()
                                .map(n -> n + 1)
                                .mapMaterializedValue(none -> "named"),
                        Keep.right());
        Pair<String, CompletionStage<List<Pair<Integer, String>>>> both = numbers()
                .viaMat(named, Keep.right())
                .asSource()
                .toMat(Sink.<Pair<Integer, String>>seq(), Keep.both())
                .run(runtime);
        assertThat(both.first()).isEqualTo("named");
        assertThat(await(both.second())).hasSize(4).startsWith(new Pair<>(2, "c1"));
    }

    @Test
    void attributesHoldForWhatIsAbove() throws Exception {
        Attributes resume = Attributes.supervision(Supervision.resume());
        assertThat(all(numbers().map(n -> 12 / (n - 2)).withAttributes(resume).asSource()))
                .containsExactly(new Pair<>(-12, "c1"), new Pair<>(12, "c3"), new Pair<>(6, "c4"));
        FlowWithContext<Integer, String, Integer, String, NotUsed> dividing =
                FlowWithContext.<Integer, String>create().map(n -> 12 / (n - 2)).withAttributes(resume);
        assertThat(all(numbers().via(dividing).asSource())).hasSize(3);
    }
}
