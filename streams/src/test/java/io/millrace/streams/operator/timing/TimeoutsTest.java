package io.millrace.streams.operator.timing;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Operators that end a stream that is too slow. */
class TimeoutsTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** How late those timeouts may be that look a few times, instead of setting a timer for each element. */
    private static final int LATE_MILLIS = 63;

    private void expectTimeout(Ends<Integer, Integer> ends, String message) {
        assertThat(ends.sink().expectError())
                .isInstanceOf(TimeoutException.class)
                .hasMessage(message);
        ends.source().awaitCancellation();
        assertThat(time.waiting()).isZero();
    }

    @Test
    @Operator("initialTimeout")
    void theFirstElementMustPassInTimeExactly() {
        Ends<Integer, Integer> late = runAsked(numbers().initialTimeout(SECOND));
        advanceMillis(999);
        late.expectNothing();
        advanceMillis(1);
        expectTimeout(late, "the first element has not come within PT1S");
        Ends<Integer, Integer> inTime = runAsked(numbers().initialTimeout(SECOND));
        advanceMillis(999);
        inTime.send(1);
        advanceMillis(100_000);
        inTime.sink().expectNext(1);
        inTime.expectNothing();
        Ends<Integer, Integer> notAsked = run(numbers().initialTimeout(SECOND));
        notAsked.send(1);
        advanceMillis(1_000);
        expectTimeout(notAsked, "the first element has not come within PT1S");
    }

    @Test
    @Operator("completionTimeout")
    void theStreamMustEndInTimeExactly() {
        Ends<Integer, Integer> late = runAsked(numbers().completionTimeout(SECOND));
        advanceMillis(999);
        late.send(1);
        late.sink().expectNext(1);
        advanceMillis(1);
        expectTimeout(late, "the stream has not ended within PT1S");
        Ends<Integer, Integer> inTime = runAsked(numbers().completionTimeout(SECOND));
        advanceMillis(999);
        inTime.source().complete();
        inTime.sink().expectComplete();
    }

    /** A boundary gives room back by half of its elements; of one that holds one, for each. */
    @Test
    @Operator({"idleTimeout", "backpressureTimeout"})
    void aboveABoundaryDemandComesByHalfOfItsElements() {
        for (Flow<Integer, Integer, ?> timed :
                List.of(numbers().idleTimeout(SECOND), numbers().backpressureTimeout(SECOND))) {
            Flow<Integer, Integer, ?> over = timed.async().via(numbers().map(n -> n));
            assertThat(passedWithinTime(over.withAttributes(Attributes.inputBuffer(1))))
                    .isEqualTo(20);
            assertThat(passedWithinTime(over.withAttributes(Attributes.inputBuffer(8))))
                    .isLessThan(20);
            assertThat(passedWithinTime(numbers().async().via(timed).withAttributes(Attributes.inputBuffer(8))))
                    .isEqualTo(20);
        }
    }

    /** How many of twenty elements a consumer gets that asks for one every 400 ms, until it hears of a failure. */
    private int passedWithinTime(Flow<Integer, Integer, ?> flow) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        TestSink<Integer> sink = Source.range(0, 20)
                .via(flow)
                .mapError(failure -> {
                    hasFailed.set(true);
                    return failure;
                })
                .runWith(TestSink.probe(), runtime);
        int passed = 0;
        while (passed < 20 && !hasFailed.get()) {
            sink.request(1).expectNext();
            passed++;
            advanceMillis(400);
        }
        sink.cancel();
        return passed;
    }

    @Test
    @Operator("idleTimeout")
    void anElementMustPassFromTimeToTime() {
        Ends<Integer, Integer> ends = runAsked(numbers().idleTimeout(SECOND));
        for (int i = 0; i < 10; i++) {
            advanceMillis(999);
            ends.send(i);
            ends.sink().expectNext(i);
            assertThat(time.waiting()).isOne();
        }
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1 + LATE_MILLIS);
        expectTimeout(ends, "no element has passed for PT1S");
    }

    @Test
    @Operator("idleTimeout")
    void aSlowDownstreamIsIdleToo() {
        Ends<Integer, Integer> ends = run(numbers().idleTimeout(SECOND));
        ends.send(1);
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1 + LATE_MILLIS);
        expectTimeout(ends, "no element has passed for PT1S");
    }

    @Test
    @Operator("backpressureTimeout")
    void downstreamMustAskFromTimeToTime() {
        Ends<Integer, Integer> ends = run(numbers().backpressureTimeout(SECOND));
        for (int i = 0; i < 10; i++) {
            advanceMillis(999);
            ends.sink().request(1);
            advanceMillis(50_000);
            ends.send(i);
            ends.sink().expectNext(i);
        }
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1 + LATE_MILLIS);
        expectTimeout(ends, "downstream has asked for nothing for PT1S");
    }

    @Test
    @Operator("timeout")
    void aWaitThatBeginsJustBeforeALookIsNotCutShort() {
        Ends<Integer, Integer> failing = run(numbers().timeout(SECOND));
        Ends<Integer, Integer> switching = run(numbers().timeout(SECOND, Source.single(7)));
        advanceMillis(62);
        failing.sink().request(1);
        switching.sink().request(1);
        advanceMillis(999);
        failing.expectNothing();
        switching.expectNothing();
        advanceMillis(1 + LATE_MILLIS);
        expectTimeout(failing, "no element within PT1S");
        switching.sink().expectNext(7).expectComplete();
    }

    @Test
    @Operator("timeout")
    void whatBlocksBeforeAnElementIsAskedForIsNoWaitForOne() throws Exception {
        isNotCutShortByWhatBlocks(numbers().timeout(SECOND));
        isNotCutShortByWhatBlocks(numbers().timeout(SECOND, Source.single(-1)));
    }

    private void isNotCutShortByWhatBlocks(Flow<Integer, Integer, ?> timeout) throws Exception {
        Flow<Integer, Integer, ?> blocking = timeout.mapWithResource(
                () -> {
                    time.advance(SECOND.multipliedBy(5));
                    return "resource";
                },
                (resource, n) -> n,
                resource -> Optional.empty());
        Pair<TestSource<Integer>, CompletionStage<List<Integer>>> running = TestSource.<Integer>probe()
                .via(blocking)
                .toMat(Sink.seq(), Keep.both())
                .run(runtime);
        advanceMillis(999);
        assertThat(running.second().toCompletableFuture()).isNotDone();
        running.first().send(1).complete();
        assertThat(await(running.second())).containsExactly(1);
    }

    @Test
    @Operator("timeout")
    void theFallbackTakesOverWhenAnElementIsLate() {
        Ends<Integer, Integer> ends = run(numbers().timeout(SECOND, Source.of(7, 8)));
        advanceMillis(10_000);
        ends.sink().request(2);
        ends.send(1);
        ends.sink().expectNext(1);
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1 + LATE_MILLIS);
        ends.source().awaitCancellation();
        ends.sink().expectNext(7);
        ends.expectNothing();
        advanceMillis(10_000);
        ends.sink().request(1).expectNext(8).expectComplete();
    }

    @Test
    @Operator("timeout")
    void theFallbackIsCancelledWithTheStreamAndFailsIt() {
        Ends<Integer, Integer> cancelled = runAsked(numbers().timeout(SECOND, Source.never()));
        advanceMillis(1_000 + LATE_MILLIS);
        cancelled.source().awaitCancellation();
        cancelled.sink().cancel();
        assertThat(runtime.snapshot().streams()).isEmpty();
        Ends<Integer, Integer> failing =
                runAsked(numbers().timeout(SECOND, Source.failed(new IllegalStateException("mine"))));
        advanceMillis(1_000 + LATE_MILLIS);
        assertThat(failing.sink().expectError()).hasMessage("mine");
    }

    @Test
    @Operator("timeout")
    void afterATimelyCompletionTheFallbackIsNotRun() {
        Ends<Integer, Integer> ends = runAsked(numbers().timeout(SECOND, Source.lazy(() -> {
            throw new AssertionError("run");
        })));
        ends.source().complete();
        ends.sink().expectComplete();
    }

    @Test
    void aTimeoutOfZeroIsRefused() {
        Source<Integer, ?> source = Source.single(1);
        assertThatThrownBy(() -> source.idleTimeout(Duration.ZERO)).hasMessageStartingWith("idleTimeout: ");
        assertThatThrownBy(() -> source.backpressureTimeout(Duration.ZERO))
                .hasMessageStartingWith("backpressureTimeout: ");
        assertThatThrownBy(() -> source.initialTimeout(Duration.ZERO)).hasMessageStartingWith("initialTimeout: ");
        assertThatThrownBy(() -> source.completionTimeout(Duration.ZERO)).hasMessageStartingWith("completionTimeout: ");
        assertThatThrownBy(() -> source.timeout(Duration.ZERO, Source.empty())).hasMessageStartingWith("timeout: ");
    }
}
