package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SubstreamsFlow;
import io.millrace.streams.SubstreamsSource;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.StageActorRef;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** An operator of substreams does to each of them what the operator of the same name does to a stream. */
class SubstreamOperatorsTest extends OperatorTest {
    private static final int PART = 4;
    private static final Source<Integer, NotUsed> NUMBERS = Source.range(0, 3 * PART);
    private static final Flow<Integer, Integer, NotUsed> FAILING_AT_THE_END = Flow.of(n -> 12 / (n % PART - PART + 1));

    private final StageActorRef<Desk.Question> desk =
            Desk.running(runtime, question -> question.reply().tell(-question.number()));
    private final List<OperatorCall> calls = OperatorCall.table(desk);

    @AfterEach
    void closeDesk() {
        desk.tell(new Desk.Question(-1, answer -> {}));
    }

    @TestFactory
    Stream<DynamicTest> substreamsOfASourcePassThroughTheOperator() {
        return calls.stream()
                .map(call -> DynamicTest.dynamicTest(call.toString(), () -> {
                    SubstreamsSource<Long, Integer, NotUsed> parts =
                            NUMBERS.splitWhen(n -> n % PART == 0).via(input(call));
                    SubstreamsSource<?, ?, ?> seen = (SubstreamsSource<?, ?, ?>) call.on(parts);
                    assertThat(call.seen(outcome(seen.concatSubstreams()))).isEqualTo(expected(call));
                }));
    }

    @TestFactory
    Stream<DynamicTest> substreamsOfAFlowPassThroughTheOperator() {
        return calls.stream()
                .map(call -> DynamicTest.dynamicTest(call.toString(), () -> {
                    SubstreamsFlow<Integer, Long, Integer, NotUsed> parts =
                            Flow.<Integer>create().splitWhen(n -> n % PART == 0).via(input(call));
                    @SuppressWarnings("unchecked") // it takes what the flow has taken before
                    SubstreamsFlow<Integer, ?, ?, ?> seen = (SubstreamsFlow<Integer, ?, ?, ?>) call.on(parts);
                    assertThat(call.seen(outcome(NUMBERS.via(seen.concatSubstreams()))))
                            .isEqualTo(expected(call));
                }));
    }

    @Test
    void everyOperatorOfSubstreamsIsInTheTable() {
        for (Class<?> type : List.of(SubstreamsSource.class, SubstreamsFlow.class)) {
            Set<String> called = calls.stream()
                    .map(call -> signature(call.method(type)))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> all = Arrays.stream(type.getMethods())
                    .filter(method -> method.getReturnType() == type)
                    .filter(method -> !method.getName().startsWith("via"))
                    .map(SubstreamOperatorsTest::signature)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(called).isEqualTo(all).hasSizeGreaterThan(60);
        }
    }

    @Test
    void operatorsFollowOneAnotherUntilTheSubstreamsAreJoined() throws Exception {
        Source<Integer, NotUsed> sums = Source.range(0, 100)
                .groupBy(10, n -> n % 10)
                .map(n -> n * 2)
                .filter(n -> n < 100)
                .fold(0, Integer::sum)
                .mergeSubstreams();
        assertThat(all(sums)).containsExactlyInAnyOrder(200, 210, 220, 230, 240, 250, 260, 270, 280, 290);
        List<Integer> firsts = Collections.synchronizedList(new ArrayList<>());
        Source.of(1, 2, 3, 4)
                .groupBy(2, n -> n % 2)
                .take(1)
                .map(n -> n * 10)
                .to(Sink.foreach(firsts::add))
                .run(runtime);
        closeDesk();
        nothingRuns();
        assertThat(firsts).containsExactlyInAnyOrder(10, 20);
    }

    @Test
    void whatAnOperatorRefusesIsRefusedWhereItIsCalled() {
        SubstreamsSource<Integer, Integer, NotUsed> parts = NUMBERS.groupBy(2, n -> n % 2);
        assertThatThrownBy(() -> parts.grouped(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parts.map(null)).isInstanceOf(NullPointerException.class);
    }

    private static Flow<Integer, Integer, NotUsed> input(OperatorCall call) {
        return call.isOfFailures() ? FAILING_AT_THE_END : Flow.create();
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    /** What comes of one part after the other, each a stream of its own, up to a failure. */
    private List<Object> expected(OperatorCall call) throws Exception {
        List<Object> elements = new ArrayList<>();
        for (int first = 0; first < 3 * PART; first += PART) {
            @SuppressWarnings("unchecked") // it takes what the flow has taken before
            Flow<Integer, ?, ?> flow =
                    (Flow<Integer, ?, ?>) call.on(Flow.<Integer>create().via(input(call)));
            List<Object> part = outcome(Source.range(first, first + PART).via(flow));
            if (part.size() == 1 && part.get(0) instanceof Throwable) {
                return call.seen(part);
            }
            elements.addAll(part);
        }
        return call.seen(elements);
    }

    /** The elements, or, as it may overtake them, the failure alone. */
    private List<Object> outcome(Source<?, ?> source) {
        List<Object> elements = new ArrayList<>();
        Throwable failure = catchThrowable(() -> source.runWith(Sink.foreach(elements::add), runtime)
                .toCompletableFuture()
                .join());
        return failure == null ? elements : List.of(failure.getCause());
    }
}
