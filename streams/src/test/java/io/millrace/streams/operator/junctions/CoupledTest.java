package io.millrace.streams.operator.junctions;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Operator({"fromSinkAndSourceCoupled", "fromSinkAndSourceCoupledMat"})
final class CoupledTest {
    private final RuntimeException mine = new IllegalStateException("mine");

    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        runtime.close();
    }

    /** Probes at both ends, above and below them. */
    private record Ends(
            TestSource<Integer> above, TestSink<Integer> sink, TestSource<Integer> source, TestSink<Integer> below) {}

    /** One element has gone each way, and one more is asked for. */
    private Ends running() {
        Flow<Integer, Integer, Pair<TestSink<Integer>, TestSource<Integer>>> flow =
                Flow.fromSinkAndSourceCoupledMat(TestSink.<Integer>probe(), TestSource.<Integer>probe(), Keep.both());
        Pair<Pair<TestSource<Integer>, Pair<TestSink<Integer>, TestSource<Integer>>>, TestSink<Integer>> run =
                TestSource.<Integer>probe()
                        .viaMat(flow, Keep.both())
                        .toMat(TestSink.<Integer>probe(), Keep.both())
                        .run(runtime);
        Ends ends = new Ends(
                run.first().first(),
                run.first().second().first(),
                run.first().second().second(),
                run.second());
        ends.above.send(1);
        ends.sink.request(2).expectNext(1);
        ends.source.send(2);
        ends.below.request(2).expectNext(2);
        return ends;
    }

    @Test
    void upstreamsEndIsThatOfBoth() {
        Ends ends = running();
        ends.above.send(3).complete();
        ends.sink.expectNext(3).expectComplete();
        assertThat(ends.source.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        ends.below.expectComplete();
    }

    @Test
    void upstreamsFailureIsThatOfBoth() {
        Ends ends = running();
        ends.above.fail(mine);
        assertThat(ends.sink.expectError()).isSameAs(mine);
        assertThat(ends.source.awaitCancellation()).isSameAs(mine);
        assertThat(ends.below.expectError()).isSameAs(mine);
    }

    @Test
    void theSourcesEndIsThatOfBoth() {
        Ends ends = running();
        ends.source.send(3).complete();
        ends.below.expectNext(3).expectComplete();
        ends.sink.expectComplete();
        assertThat(ends.above.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
    }

    @Test
    void theSourcesFailureIsThatOfBoth() {
        Ends ends = running();
        ends.source.fail(mine);
        assertThat(ends.below.expectError()).isSameAs(mine);
        assertThat(ends.sink.expectError()).isSameAs(mine);
        assertThat(ends.above.awaitCancellation()).isSameAs(mine);
    }

    @Test
    void theSinksCancellationIsThatOfBoth() {
        Ends ends = running();
        ends.sink.cancel();
        assertThat(ends.above.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        assertThat(ends.source.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        ends.below.expectComplete();
    }

    @Test
    void downstreamsCancellationIsThatOfBoth() {
        Ends ends = running();
        ends.below.cancel();
        assertThat(ends.source.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        assertThat(ends.above.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        ends.sink.expectComplete();
    }

    @Test
    void aFailureThatCancelsFailsTheOther() {
        TestSink<Object> below = Source.single(1)
                .concat(Source.never())
                .via(Flow.fromSinkAndSourceCoupled(
                        Sink.foreach(x -> {
                            throw mine;
                        }),
                        Source.never()))
                .runWith(TestSink.probe(), runtime);
        assertThat(below.request(1).expectError()).isSameAs(mine);
    }

    @Test
    void bothRunInIslandsOfTheirOwnToo() throws Exception {
        CompletionStage<List<Integer>> received = Source.range(0, 1_000)
                .viaMat(
                        Flow.fromSinkAndSourceCoupledMat(
                                Flow.<Integer>create().async().toMat(Sink.<Integer>seq(), Keep.right()),
                                Source.<Integer>never().async(),
                                Keep.left()),
                        Keep.right())
                .async()
                .to(Sink.ignore())
                .run(runtime);
        assertThat(await(received)).hasSize(1_000);
    }
}
