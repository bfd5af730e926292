package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every operator with one inlet and one outlet must do, over a table of cases. A class that extends it names the
 * operators of its table in its {@link Operator} annotation.
 */
public abstract class FlowContract {
    /** How a stream ended, seen by the last stage. */
    private record Seen<O>(List<O> elements, Throwable failure) {}

    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    /** The table. */
    protected abstract List<FlowCase<?, ?>> cases();

    /** In which surroundings the case is prompt whatever its operator waits for. */
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return EnumSet.allOf(Promptness.class);
    }

    private Stream<DynamicTest> each(Consumer<FlowCase<?, ?>> check) {
        return cases().stream().map(one -> DynamicTest.dynamicTest(one.toString(), () -> check.accept(one)));
    }

    @Test
    void theAnnotationNamesTheOperatorsOfTheTable() {
        Operator named = getClass().getAnnotation(Operator.class);
        assertThat(named).as("@Operator of %s", getClass()).isNotNull();
        Set<String> cases = cases().stream().map(FlowCase::operator).collect(Collectors.toCollection(TreeSet::new));
        assertThat(Set.of(named.value())).isEqualTo(cases);
    }

    @TestFactory
    Stream<DynamicTest> theInputGivesWhatIsExpected() {
        return each(this::checkInput);
    }

    private <I, O> void checkInput(FlowCase<I, O> one) {
        assertThat(all(Source.from(one.input()).via(one.flow().get()))).isEqualTo(one.expected());
    }

    @TestFactory
    Stream<DynamicTest> anEmptyInputCompletes() {
        return each(this::checkEmpty);
    }

    private <I, O> void checkEmpty(FlowCase<I, O> one) {
        assertThat(all(Source.<I>empty().via(one.flow().get()))).isEqualTo(one.expectedOfNothing());
    }

    @TestFactory
    Stream<DynamicTest> aFailureOfUpstreamArrives() {
        return each(this::checkFailure);
    }

    private <I, O> void checkFailure(FlowCase<I, O> one) {
        RuntimeException mine = new IllegalStateException("mine");
        Seen<O> seen = seen(Source.from(one.input())
                .concat(Source.failed(mine))
                .via(one.flow().get()));
        if (one.completesOnFailure()) {
            assertThat(seen.failure()).isNull();
        } else {
            assertThat(seen.failure()).hasStackTraceContaining("mine");
        }
        if (one.expectedBeforeFailure().isPresent()) {
            assertThat(seen.elements()).isEqualTo(one.expectedBeforeFailure().orElseThrow());
        } else {
            int seenCount = Math.min(seen.elements().size(), one.expected().size());
            assertThat(seen.elements()).isEqualTo(one.expected().subList(0, seenCount));
        }
    }

    @TestFactory
    Stream<DynamicTest> cancellationReachesUpstream() {
        return each(this::checkCancellation);
    }

    private <I, O> void checkCancellation(FlowCase<I, O> one) {
        Pair<TestSource<I>, TestSink<O>> ends = TestSource.<I>probe()
                .via(one.flow().get())
                .toMat(TestSink.<O>probe(), Keep.both())
                .run(runtime);
        ends.second().cancel();
        ends.first().awaitCancellation();
    }

    @TestFactory
    Stream<DynamicTest> elementsComeOneByOneAsTheyAreAskedFor() {
        return each(this::checkBackpressure);
    }

    private <I, O> void checkBackpressure(FlowCase<I, O> one) {
        TestSink<O> sink = Source.from(one.input()).via(one.flow().get()).runWith(TestSink.<O>probe(), runtime);
        List<O> elements = new ArrayList<>();
        for (int i = 0; i < one.expected().size(); i++) {
            elements.add(sink.request(1).expectNext());
        }
        assertThat(elements).isEqualTo(one.expected());
        sink.request(1).expectComplete();
    }

    @TestFactory
    @Behaviour("INT-10")
    Stream<DynamicTest> whatComesOutArrivesThoughTheNextCallBlocks() {
        return cases().stream().flatMap(this::promptnessOf);
    }

    private Stream<DynamicTest> promptnessOf(FlowCase<?, ?> one) {
        return promptness(one).stream()
                .map(way -> DynamicTest.dynamicTest(one + ", " + way, () -> {
                    for (int given = 1; given <= one.input().size(); given++) {
                        way.check(one, given, runtime);
                    }
                }));
    }

    private <O> List<O> all(Source<O, ?> source) {
        Seen<O> seen = seen(source);
        assertThat(seen.failure()).isNull();
        return seen.elements();
    }

    private <O> Seen<O> seen(Source<O, ?> source) {
        List<O> elements = new ArrayList<>();
        CompletionStage<?> end = source.runWith(Sink.foreach(elements::add), runtime);
        Throwable failure = catchThrowable(() -> end.toCompletableFuture().get(20, TimeUnit.SECONDS));
        return new Seen<>(elements, failure);
    }
}
