package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.FlowWithContext;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A flow that takes more than the elements takes the elements; a source of less stands in for one of more. */
class VarianceTest extends OperatorTest {
    private final Flow<Object, String, NotUsed> text = Flow.of(String::valueOf);
    private final Source<Integer, NotUsed> numbers = Source.of(1, 2, 3);

    @Test
    void workersAndRailsMayTakeMoreThanTheElements() throws Exception {
        Scheduler scheduler = Schedulers.single();
        try {
            assertThat(all(numbers.balance(2, text))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.parallel(2, text))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.parallel(2, scheduler, text))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.parallelOrdered(2, text))).containsExactly("1", "2", "3");
            Flow<Integer, Integer, NotUsed> flow = Flow.create();
            assertThat(all(numbers.via(flow.balance(2, text)))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.via(flow.parallel(2, text)))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.via(flow.parallel(2, scheduler, text)))).containsExactlyInAnyOrder("1", "2", "3");
            assertThat(all(numbers.via(flow.parallelOrdered(2, text)))).containsExactly("1", "2", "3");
        } finally {
            scheduler.shutdown();
        }
    }

    @Test
    void sourcesThatGoOnAfterAFailureMayGiveLessThanTheElements() throws Exception {
        ThrowingFunction<Object, Source<Integer, NotUsed>> next = failure -> numbers;
        Source<Number, ?> failing = Source.failed(new IllegalStateException("mine"));
        assertThat(all(failing.recoverWith(next))).isEqualTo(List.of(1, 2, 3));
        assertThat(all(failing.recoverWithRetries(1, next))).isEqualTo(List.of(1, 2, 3));
        assertThat(all(failing.via(Flow.<Number>create().recoverWith(next)))).isEqualTo(List.of(1, 2, 3));
        assertThat(all(failing.via(Flow.<Number>create().recoverWithRetries(1, next))))
                .isEqualTo(List.of(1, 2, 3));
    }

    @Test
    void flowsWithContextMayTakeMoreThanTheElementsAndContexts() throws Exception {
        FlowWithContext<Object, Object, String, Integer, ?> named =
                FlowWithContext.<Object, Object>create().map(String::valueOf).mapContext(Object::hashCode);
        List<Pair<String, Integer>> expected = List.of(new Pair<>("1", 1), new Pair<>("2", 2), new Pair<>("3", 3));
        assertThat(all(numbers.asSourceWithContext(n -> n).via(named).asSource()))
                .isEqualTo(expected);
        assertThat(all(numbers.asSourceWithContext(n -> n)
                        .via(FlowWithContext.<Integer, Integer>create().via(named))
                        .asSource()))
                .isEqualTo(expected);
    }
}
