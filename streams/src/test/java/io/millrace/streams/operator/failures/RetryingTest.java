package io.millrace.streams.operator.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elements that go through a flow again, on a clock moved by hand and on the test's own thread. */
@Operator("retrying")
class RetryingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Backoff BACKOFF =
            Backoff.exponential(SECOND, SECOND.multipliedBy(4)).withJitter(0);

    private final RuntimeException mine = new IllegalStateException("mine");
    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run), time);

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(time.waiting()).isZero();
        runtime.close();
    }

    /** Probes around a flow of probes: what it takes, what it emits. */
    private record Ends(
            TestSource<Integer> above, TestSink<Integer> taken, TestSource<String> made, TestSink<String> below) {}

    /** Does it again, with 100 more, for each result that ends with a question mark. */
    private Ends running(int maxRetries, Backoff backoff) {
        return running(maxRetries, backoff, flowOfProbes());
    }

    private static Flow<Integer, String, Pair<TestSink<Integer>, TestSource<String>>> flowOfProbes() {
        return Flow.fromSinkAndSourceMat(TestSink.<Integer>probe(), TestSource.<String>probe(), Keep.both());
    }

    private Ends running(
            int maxRetries, Backoff backoff, Flow<Integer, String, Pair<TestSink<Integer>, TestSource<String>>> flow) {
        Pair<Pair<TestSource<Integer>, Pair<TestSink<Integer>, TestSource<String>>>, TestSink<String>> run =
                TestSource.<Integer>probe()
                        .viaMat(
                                Flow.retrying(
                                        maxRetries,
                                        backoff,
                                        flow,
                                        (n, made) -> made.endsWith("?") ? Optional.of(n + 100) : Optional.empty()),
                                Keep.both())
                        .toMat(TestSink.<String>probe(), Keep.both())
                        .run(runtime);
        return new Ends(
                run.first().first(),
                run.first().second().first(),
                run.first().second().second(),
                run.second());
    }

    /** The flow has asked for two, and has the first. */
    private Ends withFirst(int maxRetries) {
        Ends ends = running(maxRetries, BACKOFF);
        ends.taken.request(10);
        ends.below.request(1);
        ends.above.expectPull().send(1);
        ends.taken.expectNext(1);
        return ends;
    }

    private static void end(Ends ends) {
        ends.below.cancel();
        assertThat(ends.above.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        assertThat(ends.made.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        ends.taken.expectComplete();
    }

    @Test
    void eachRetryWaitsTwiceAsLongAndTheNextElementBeginsAnew() {
        Ends ends = withFirst(5);
        for (int retry = 1; retry <= 4; retry++) {
            ends.made.send("no?");
            Duration wait = SECOND.multipliedBy(retry == 1 ? 1 : retry == 2 ? 2 : 4);
            time.advance(wait.minusNanos(1));
            ends.taken.expectNothing(Duration.ZERO);
            time.advance(Duration.ofNanos(1));
            ends.taken.expectNext(1 + 100 * retry);
        }
        ends.made.send("yes");
        ends.below.expectNext("yes").request(1);
        ends.above.expectPull().send(2);
        ends.taken.expectNext(2);
        ends.made.send("no?");
        time.advance(SECOND);
        ends.taken.expectNext(102);
        end(ends);
    }

    @Test
    void whenRetriesAreUsedUpTheLastResultIsEmitted() {
        Ends ends = withFirst(1);
        ends.made.send("no?");
        time.advance(SECOND);
        ends.taken.expectNext(101);
        ends.made.send("still no?");
        ends.below.expectNext("still no?");
        end(ends);
    }

    @Test
    void nextElementIsTakenOnceDownstreamAndTheFlowAsk() {
        Ends ends = running(1, Backoff.NONE);
        ends.taken.request(1);
        ends.above.expectNothing(Duration.ZERO);
        ends.below.request(1);
        ends.above.expectPull().send(1);
        ends.taken.expectNext(1);
        ends.made.send("one");
        ends.below.expectNext("one").request(1);
        ends.above.expectNothing(Duration.ZERO);
        ends.taken.request(1);
        ends.above.expectPull();
        end(ends);
    }

    @Test
    void aFlowThatDoesNotAskIsGivenTheElementWhenItDoes() {
        for (Backoff backoff : List.of(BACKOFF, Backoff.NONE)) {
            Ends ends = running(1, backoff);
            ends.below.request(1);
            ends.taken.request(1);
            ends.above.expectPull().send(1);
            ends.taken.expectNext(1);
            ends.made.send("no?");
            time.advance(SECOND);
            ends.taken.expectNothing(Duration.ZERO);
            ends.taken.request(1).expectNext(101);
            end(ends);
        }
    }

    @Test
    void whatUpstreamHasSentBeforeItsEndIsDoneAgain() {
        Ends ends = withFirst(3);
        ends.above.complete();
        ends.made.send("no?");
        time.advance(SECOND);
        ends.taken.expectNext(101);
        ends.made.send("yes");
        ends.below.expectNext("yes");
        ends.taken.expectComplete();
        ends.made.complete();
        ends.below.expectComplete();
    }

    @Test
    void withoutAnElementInItTheFlowEndsWithUpstream() {
        Ends ends = running(1, BACKOFF);
        ends.taken.request(1);
        ends.below.request(1);
        ends.above.complete();
        ends.taken.expectComplete();
        ends.below.expectNothing(Duration.ZERO);
        ends.made.complete();
        ends.below.expectComplete();
    }

    @Test
    void failuresOfUpstreamAndOfTheFlowAreTold() {
        Ends ofUpstream = withFirst(1);
        ofUpstream.made.send("no?");
        ofUpstream.above.fail(mine);
        assertThat(ofUpstream.below.expectError()).isSameAs(mine);
        assertThat(ofUpstream.taken.expectError()).isSameAs(mine);
        assertThat(ofUpstream.made.awaitCancellation()).isSameAs(mine);
        Ends ofFlow = withFirst(1);
        ofFlow.made.fail(mine);
        assertThat(ofFlow.below.expectError()).isSameAs(mine);
        assertThat(ofFlow.above.awaitCancellation()).isSameAs(mine);
    }

    @Test
    void downstreamsEndIsThatOfTheFlowAlsoWhileAnElementWaits() {
        Ends ends = withFirst(1);
        ends.made.send("no?");
        end(ends);
    }

    @Test
    void aFlowThatTakesNoMoreGivesWhatItHas() {
        Ends ends = withFirst(3);
        ends.taken.cancel();
        assertThat(ends.above.awaitCancellation()).isInstanceOf(DownstreamFinished.class);
        ends.made.send("no?");
        ends.below.expectNext("no?");
        ends.made.complete();
        ends.below.expectComplete();
    }

    @Test
    void aFlowThatEndsWhileAnElementWaitsHasMadeItsLast() {
        Ends cancelled = withFirst(3);
        cancelled.made.send("no?");
        cancelled.taken.cancel();
        cancelled.below.expectNext("no?").request(1);
        cancelled.made.complete();
        cancelled.below.expectComplete();
        Ends completed = withFirst(3);
        completed.made.send("no?").complete();
        completed.below.expectNext("no?").expectComplete();
        completed.taken.expectComplete();
    }

    @Test
    void aFlowThatIsNotOneToOneIsRefused() {
        Ends none = withFirst(1);
        none.made.complete();
        assertThat(none.below.expectError()).hasMessageContaining("has completed without one for 1");
        Ends two = withFirst(1);
        two.made.send("one");
        two.below.expectNext("one").request(1);
        two.made.send("another");
        assertThat(two.below.expectError())
                .hasMessage("retrying: the flow must emit one element for each that it is given, and has emitted"
                        + " another without one");
    }

    @Test
    void aFlowBehindABoundaryThatCompletesMayHaveBeenGivenOneMore() {
        Ends ends = running(1, BACKOFF, flowOfProbes().async());
        ends.taken.request(1);
        ends.below.request(1);
        ends.above.expectPull().send(1);
        ends.taken.expectNext(1);
        ends.made.send("one");
        ends.below.expectNext("one").request(1);
        ends.above.expectPull().send(2); // the boundary asks, not the flow
        ends.made.complete();
        assertThat(ends.below.expectError()).hasMessageContaining("has completed without one for 2");
        ends.taken.cancel();
    }

    @Test
    void lessThanOneRetryIsRefused() {
        assertThatThrownBy(() -> Flow.<Integer, Integer, NotUsed>retrying(
                        0, Backoff.NONE, Flow.create(), (n, made) -> Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxRetries must be at least 1, not 0");
    }

    @Test
    void manyRetriesInARowDoNotNest() {
        TestSink<Integer> sink = Source.of(0)
                .via(Flow.retrying(
                        1_000_000,
                        Backoff.NONE,
                        Flow.of((Integer n) -> n + 1),
                        (n, made) -> made < 200_000 ? Optional.of(made) : Optional.empty()))
                .runWith(TestSink.probe(), runtime);
        sink.request(2).expectNext(200_000).expectComplete();
    }
}
