package io.millrace.streams.operator.interop;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** Flows put together of ends, and where they meet other libraries. */
class InteropTest {
    private final RuntimeException mine = new IllegalStateException("mine");

    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        runtime.close();
    }

    @Test
    @Operator({"fromSinkAndSource", "fromSinkAndSourceMat"})
    void theTwoEndsKnowNothingOfEachOther() {
        Flow<Integer, Integer, Pair<TestSink<Integer>, TestSource<Integer>>> ends =
                Flow.fromSinkAndSourceMat(TestSink.<Integer>probe(), TestSource.<Integer>probe(), Keep.both());
        Pair<Pair<TestSink<Integer>, TestSource<Integer>>, TestSink<Integer>> run = Source.of(1, 2)
                .viaMat(ends, Keep.right())
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        run.first().first().request(3).expectNext(1, 2).expectComplete();
        run.first().second().send(7).complete();
        run.second().request(2).expectNext(7).expectComplete();
        TestSink<Object> other = Source.failed(mine)
                .via(Flow.fromSinkAndSource(Sink.ignore(), Source.of(3)))
                .runWith(TestSink.probe(), runtime);
        other.request(2).expectNext(3).expectComplete();
    }

    @Test
    @Operator({"fromProcessor", "toProcessor", "fromFlowProcessor", "toFlowProcessor"})
    void aFlowThatGoesOutAsAProcessorComesBackAsOne() throws Exception {
        Flow<Integer, Integer, ?> half = Flow.of((Integer n) -> 12 / n);
        Flow<Integer, Integer, ?> through =
                Flow.fromProcessor(() -> half.toProcessor().run(runtime));
        Flow<Integer, Integer, ?> throughFlow =
                Flow.fromFlowProcessor(() -> half.toFlowProcessor().run(runtime));
        for (Flow<Integer, Integer, ?> flow : List.of(through, throughFlow)) {
            assertThat(await(Source.of(1, 2, 3).via(flow).runWith(Sink.seq(), runtime)))
                    .containsExactly(12, 6, 4);
            assertThat(await(Source.<Integer>empty().via(flow).runWith(Sink.seq(), runtime)))
                    .isEmpty();
            CompletionStage<List<Integer>> failing = Source.of(0).via(flow).runWith(Sink.seq(), runtime);
            assertThatThrownBy(() -> await(failing)).hasCauseInstanceOf(ArithmeticException.class);
            Pair<TestSource<Integer>, TestSink<Integer>> cancelled = TestSource.<Integer>probe()
                    .via(flow)
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(runtime);
            cancelled.second().request(1);
            cancelled.first().expectPull().send(6);
            cancelled.second().expectNext(2);
            cancelled.second().cancel();
            cancelled.first().awaitCancellation();
        }
    }

    @Test
    @Operator({"toPublisher", "toFlowPublisher"})
    void eachSubscriberHasARunOfItsOwn() throws Exception {
        Publisher<Integer> numbers = Source.of(1, 2).toPublisher(runtime);
        java.util.concurrent.Flow.Publisher<Integer> same = Source.of(1, 2).toFlowPublisher(runtime);
        for (int i = 0; i < 2; i++) {
            assertThat(await(Source.fromPublisher(numbers).runWith(Sink.seq(), runtime)))
                    .containsExactly(1, 2);
            assertThat(await(Source.fromFlowPublisher(same).runWith(Sink.seq(), runtime)))
                    .containsExactly(1, 2);
        }
        CompletionStage<List<Object>> failing =
                Source.fromPublisher(Source.failed(mine).toPublisher(runtime)).runWith(Sink.seq(), runtime);
        assertThatThrownBy(() -> await(failing)).hasCause(mine);
    }

    @Test
    @Operator({"toPublisher", "toFlowPublisher"})
    void aRunThatCannotBeMadeFailsTheSubscriberWithWhatWasThrownAndIsReported() throws Exception {
        List<StreamException> reported = new CopyOnWriteArrayList<>();
        RuntimeSettings settings = RuntimeSettings.defaults().withFailureReporter(reported::add);
        Source<Integer, ?> broken = Source.single(1)
                .<Integer, Integer>statefulMap(
                        () -> {
                            throw mine;
                        },
                        (state, n) -> new Pair<>(state, n),
                        state -> Optional.empty())
                .named("orders");
        try (StreamRuntime own = StreamRuntime.create(settings)) {
            assertThat(awaitFailure(
                            Source.fromPublisher(broken.toPublisher(own)).runWith(Sink.seq(), own)))
                    .isSameAs(mine);
        }
        assertThat(reported)
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .hasMessageContaining("orders/statefulMap: could not be made")
                        .cause()
                        .isSameAs(mine));
    }
}
