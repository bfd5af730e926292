package io.millrace.streams.operator.elements;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The resource of a run is closed once, however the run ends. */
@Operator("mapWithResource")
final class MapWithResourceTest extends OperatorTest {
    private final AtomicInteger made = new AtomicInteger();
    private final Queue<Integer> closed = new ConcurrentLinkedQueue<>();

    private Source<Integer, ?> divided(Source<Integer, ?> numbers) {
        return numbers.mapWithResource(made::incrementAndGet, (resource, n) -> 100 * resource + 6 / n, resource -> {
            closed.add(resource);
            return Optional.of(-resource);
        });
    }

    @Test
    void eachRunHasItsOwnAndClosesItAtTheEnd() throws Exception {
        Source<Integer, ?> source = divided(Source.of(1, 2));
        assertThat(all(source)).containsExactly(106, 103, -1);
        assertThat(all(source)).containsExactly(206, 203, -2);
        assertThat(closed).containsExactly(1, 2);
    }

    @Test
    void itIsClosedWhenUpstreamFails() throws Exception {
        assertThat(failureOf(divided(Source.failed(new IllegalStateException("mine")))))
                .hasMessage("mine");
        nothingRuns();
        assertThat(closed).containsExactly(1);
    }

    @Test
    void itIsClosedWhenDownstreamCancels() {
        TestSink<Integer> sink = divided(Source.of(1, 2)).runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext(106);
        sink.cancel();
        nothingRuns();
        assertThat(closed).containsExactly(1);
    }

    @Test
    void itIsClosedWhenTheFunctionThrows() throws Exception {
        assertThat(failureOf(divided(Source.of(1, 0, 2)))).isInstanceOf(ArithmeticException.class);
        nothingRuns();
        assertThat(closed).containsExactly(1);
    }

    @Test
    void anErrorOnOpeningIsAFailureLikeAnother() throws Exception {
        Source<Integer, ?> unopened = Source.of(1)
                .mapWithResource(
                        () -> {
                            throw new AssertionError("no exception");
                        },
                        (resource, n) -> n,
                        resource -> Optional.empty());
        assertThat(all(unopened.recover(failure -> -7))).containsExactly(-7);
    }

    @Test
    void supervisionKeepsItOrMakesAnother() throws Exception {
        assertThat(all(divided(Source.of(1, 0, 2)).withAttributes(Attributes.supervision(Supervision.resume()))))
                .containsExactly(106, 103, -1);
        assertThat(all(divided(Source.of(1, 0, 2)).withAttributes(Attributes.supervision(Supervision.restart()))))
                .containsExactly(206, 303, -3);
        assertThat(closed).containsExactly(1, 2, 3);
    }

    @Test
    void aSupervisionThatDecidesOnNullStopsTheStreamWhereverItIsAsked() throws Exception {
        Attributes none = Attributes.supervision(failure -> null);
        for (Source<Integer, ?> source : List.of(
                divided(Source.of(1, 0, 2)),
                Source.<Integer, Integer>unfoldResource(() -> 0, zero -> Optional.of(1 / zero), zero -> {}),
                Source.of(1, 0, 2).map(n -> 1 / n),
                Source.of(1, 0, 2).mapAsync(2, n -> CompletableFuture.completedFuture(1 / n)))) {
            Throwable failure = failureOf(source.withAttributes(none));
            assertThat(failure)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("the supervision decided on null");
            assertThat(failure.getSuppressed()).hasSize(1).allMatch(ArithmeticException.class::isInstance);
        }
    }

    @Test
    void closingItMayFailTheStreamAndIsNotTriedAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Source<Integer, ?> source = Source.of(1).mapWithResource(() -> 1, Integer::sum, resource -> {
            tries.incrementAndGet();
            throw new IllegalStateException("cannot close");
        });
        assertThat(failureOf(source)).hasMessage("cannot close");
        nothingRuns();
        assertThat(tries).hasValue(1);
    }

    @Test
    void whatCannotBeMadeFailsTheStreamAndIsNotClosed() throws Exception {
        Source<Integer, ?> source = Source.of(1)
                .mapWithResource(
                        () -> {
                            throw new IllegalStateException("cannot open");
                        },
                        (resource, n) -> n,
                        resource -> {
                            closed.add(0);
                            return Optional.empty();
                        });
        assertThat(failureOf(source)).hasMessage("cannot open");
        assertThat(all(source.recover(failure -> -1))).containsExactly(-1);
        assertThat(closed).isEmpty();
    }
}
