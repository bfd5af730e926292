package io.millrace.streams.operator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.failure.RateExceededException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operators between sides of different speed. */
class RateTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    @Operator("buffer")
    void aFullBufferDoesWhatItsStrategySays() {
        assertThat(buffered(OverflowStrategy.DROP_HEAD)).containsExactly(3, 4);
        assertThat(buffered(OverflowStrategy.DROP_TAIL)).containsExactly(1, 4);
        assertThat(buffered(OverflowStrategy.DROP_NEW)).containsExactly(1, 2);
        assertThat(buffered(OverflowStrategy.DROP_BUFFER)).containsExactly(3, 4);
        assertThat(buffered(OverflowStrategy.BACKPRESSURE)).containsExactly(1, 2);
        Ends<Integer, Integer> failing = run(numbers().buffer(2, OverflowStrategy.FAIL));
        failing.send(1, 2, 3);
        assertThat(failing.sink().expectError())
                .isInstanceOf(BufferOverflowException.class)
                .hasMessage("the buffer is full with 2 elements");
    }

    private List<Integer> buffered(OverflowStrategy strategy) {
        Ends<Integer, Integer> ends = run(numbers().buffer(2, strategy));
        ends.send(1, 2, 3, 4);
        return ends.sink().request(2).expectNextN(2);
    }

    @Test
    @Operator("batch")
    void aBatchGrowsWhileDownstreamIsBusyUpToItsMaximum() {
        Ends<Integer, String> ends = run(numbers().batch(3, n -> "" + n, (text, n) -> text + n));
        ends.send(1, 2, 3, 4, 5);
        ends.sink().request(1).expectNext("123");
        ends.sink().request(1).expectNext("45");
        ends.sink().request(1);
        ends.expectNothing();
        ends.send(6);
        ends.sink().expectNext("6");
        ends.send(7, 8);
        ends.source().complete();
        ends.sink().request(2).expectNext("78").expectComplete();
    }

    @Test
    @Operator("batch")
    void supervisionDropsTheElementOrTheBatch() {
        assertThat(batchWithout(3, Supervision.resume())).isEqualTo("124");
        assertThat(batchWithout(3, Supervision.restart())).isEqualTo("4");
        assertThat(batchWithout(1, Supervision.resume())).isEqualTo("234");
        Ends<Integer, String> failing = run(appending(3));
        failing.send(1, 2, 3);
        assertThat(failing.sink().expectError()).hasStackTraceContaining("not 3");
    }

    private String batchWithout(int refused, Supervision supervision) {
        Ends<Integer, String> ends = run(appending(refused).withAttributes(Attributes.supervision(supervision)));
        ends.send(1, 2, 3, 4);
        return ends.sink().request(1).expectNext();
    }

    private static Flow<Integer, String, ?> appending(int refused) {
        return numbers().batch(10, n -> accepted(n, refused), (text, n) -> text + accepted(n, refused));
    }

    private static String accepted(int n, int refused) {
        if (n == refused) {
            throw new IllegalArgumentException("not " + n);
        }
        return "" + n;
    }

    @Test
    @Operator("batchWeighted")
    void aBatchHoldsUpToItsCostAndAnElementThatCostsMoreStaysAlone() {
        Ends<Integer, String> ends = run(numbers().batchWeighted(5, n -> n, n -> "" + n, (text, n) -> text + n));
        ends.send(1, 3, 2, 9, 0, 1);
        ends.source().complete();
        for (String batch : List.of("13", "2", "9", "01")) {
            ends.sink().request(1).expectNext(batch);
        }
        ends.sink().expectComplete();
        List<Integer> weighed = new ArrayList<>();
        Ends<Integer, String> counted =
                run(numbers().batchWeighted(5, n -> weighed.add(n) ? n : 0, n -> "" + n, (text, n) -> text + n));
        counted.send(4, 3, 9);
        counted.sink().request(3).expectNext("4", "3", "9");
        assertThat(weighed).containsExactly(4, 3, 9);
        Ends<Integer, String> negative = run(numbers().batchWeighted(5, n -> -1, n -> "", (text, n) -> text));
        negative.send(1);
        assertThat(negative.sink().expectError()).hasStackTraceContaining("at least 0, not -1");
    }

    @Test
    @Operator({"batch", "batchWeighted"})
    @Behaviour("INT-10")
    void aBatchIsOnItsWayBeforeTheNextOneIsBegun() {
        List<String> seen = new ArrayList<>();
        Ends<Integer, Integer> ends = run(numbers()
                .batchWeighted(
                        5,
                        n -> 5,
                        n -> {
                            seen.add("seed " + n);
                            if (n == 3) {
                                throw new IllegalArgumentException("not 3");
                            }
                            return n;
                        },
                        (batch, n) -> batch)
                .doOnNext(n -> seen.add("batch " + n)));
        ends.send(1, 2, 3);
        ends.source().complete();
        ends.sink().request(1).expectNext(1);
        assertThat(seen).containsExactly("seed 1", "batch 1", "seed 2");
        ends.sink().request(1).expectNext(2);
        assertThat(ends.sink().expectError()).isInstanceOf(IllegalArgumentException.class);
        assertThat(seen).containsExactly("seed 1", "batch 1", "seed 2", "batch 2", "seed 3");
    }

    @Test
    @Operator({"batch", "batchWeighted"})
    void whatIsLeftAfterTheEndComesBatchByBatch() {
        Ends<Integer, Integer> ends = runAsked(numbers().batchWeighted(5, n -> 5, n -> n, (batch, n) -> batch));
        ends.send(1);
        ends.sink().expectNext(1);
        Ends<Integer, Integer> late = run(numbers().batchWeighted(5, n -> 5, n -> n, (batch, n) -> batch));
        late.send(1, 2);
        late.source().complete();
        late.sink().request(1).expectNext(1);
        late.expectNothing();
        late.sink().request(1).expectNext(2).expectComplete();
    }

    @Test
    @Operator({"conflate", "conflateWithSeed"})
    void conflationNeverHoldsUpstreamUp() {
        Ends<Integer, Integer> sums = run(numbers().conflate(Integer::sum));
        IntStream.rangeClosed(1, 1000).forEach(sums::send);
        sums.sink().request(2).expectNext(500_500);
        sums.send(7);
        sums.sink().expectNext(7);
        Ends<Integer, Integer> counts = run(numbers().conflateWithSeed(n -> 1, (count, n) -> count + 1));
        counts.send(5, 5, 5);
        counts.source().complete();
        counts.sink().request(1).expectNext(3).expectComplete();
    }

    @Test
    @Operator("expand")
    void aFastDownstreamIsAnsweredOutOfTheIteratorOfTheLastElement() {
        Ends<Integer, Integer> ends = run(numbers().expand(RateTest::countingUp));
        ends.sink().request(1);
        ends.expectNothing();
        ends.send(10);
        ends.sink().expectNext(10);
        ends.sink().request(2).expectNext(11, 12);
        ends.send(20, 30);
        ends.sink().request(1).expectNext(20);
        ends.sink().request(2).expectNext(30, 31);
        ends.source().complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("expand")
    void anElementThatWasNotAskedForYetComesBeforeTheCompletion() {
        Ends<Integer, Integer> ends = run(numbers().expand(RateTest::countingUp));
        ends.send(10);
        ends.source().complete();
        ends.expectNothing();
        ends.sink().request(3).expectNext(10).expectComplete();
    }

    @Test
    @Operator("expand")
    void anElementWithoutAnythingToGiveIsPassedOver() {
        Ends<Integer, Integer> ends =
                run(numbers().expand(n -> IntStream.range(0, n).iterator()));
        ends.sink().request(4);
        ends.send(0, 0, 2);
        ends.sink().expectNext(0, 1);
        ends.expectNothing();
        ends.send(1);
        ends.sink().expectNext(0);
    }

    private static Iterator<Integer> countingUp(int from) {
        return Stream.iterate(from, n -> n + 1).iterator();
    }

    @Test
    @Operator("extrapolate")
    void extrapolationEmitsTheElementFirstAndMayBeginWithAStandIn() {
        Ends<Integer, Integer> ends = run(numbers().extrapolate(n -> countingUp(n + 1), 0));
        ends.sink().request(3).expectNext(0, 1, 2);
        ends.send(10);
        ends.sink().request(2).expectNext(10, 11);
        Ends<Integer, Integer> without = run(numbers().extrapolate(n -> countingUp(n + 1)));
        without.sink().request(2);
        without.expectNothing();
        without.send(5);
        without.sink().expectNext(5, 6);
    }

    @Test
    @Operator("throttle")
    void aThrottleSpacesElementsEvenlyAndExactly() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttle(3, SECOND));
        ends.send(1, 2, 3, 4, 5);
        ends.sink().expectNext(1);
        time.advance(Duration.ofNanos(333_333_333));
        ends.sink().expectNext(2);
        advanceMillis(333);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(3);
        time.advance(Duration.ofNanos(999_999_999 - time.nowNanos()));
        ends.expectNothing();
        time.advance(Duration.ofNanos(1));
        ends.sink().expectNext(4);
        ends.source().complete();
        advanceMillis(333);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(5).expectComplete();
    }

    @Test
    @Operator("throttle")
    void whatWasNotUsedMayGoInABurst() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttle(10, SECOND, 3, ThrottleMode.SHAPING));
        ends.send(1, 2, 3, 4, 5);
        ends.sink().expectNext(1, 2, 3);
        advanceMillis(99);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(4);
        advanceMillis(100);
        ends.sink().expectNext(5);
        advanceMillis(10_000);
        ends.send(6, 7, 8, 9);
        ends.sink().expectNext(6, 7, 8);
        ends.expectNothing();
        advanceMillis(100);
        ends.sink().expectNext(9);
    }

    @Test
    @Operator("throttle")
    void aRateWithoutABurstCatchesUpWithATenthOfASecond() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttle(100, SECOND));
        IntStream.range(0, 30).forEach(ends::send);
        assertThat(ends.sink().expectNextN(10)).hasSize(10);
        ends.expectNothing();
        advanceMillis(9);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(10);
        advanceMillis(100);
        assertThat(ends.sink().expectNextN(10)).hasSize(10);
        ends.expectNothing();
    }

    @Test
    @Operator("throttle")
    void elementsMayCostDifferentlyAndMoreThanTheBurst() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttle(10, SECOND, 5, n -> n, ThrottleMode.SHAPING));
        ends.send(5, 0, 1, 20);
        ends.sink().expectNext(5, 0);
        advanceMillis(100);
        ends.sink().expectNext(1);
        advanceMillis(1_999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(20);
    }

    @Test
    @Operator("throttle")
    void anEnforcingThrottleFailsWhenItIsExceeded() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttle(10, SECOND, 2, ThrottleMode.ENFORCING));
        ends.send(1, 2);
        advanceMillis(100);
        ends.send(3);
        ends.sink().expectNext(1, 2, 3);
        advanceMillis(99);
        ends.send(4);
        assertThat(ends.sink().expectError())
                .isInstanceOf(RateExceededException.class)
                .hasMessage("throttle: more than 10 in PT1S with a burst of 2; element 4 came PT0.001S too early");
        ends.source().awaitCancellation();
    }

    @Test
    @Operator("throttle")
    void ratesThatCannotBeKeptAreRefused() {
        assertThatThrownBy(() -> numbers().throttle(0, SECOND)).hasMessageContaining("not 0 in PT1S");
        assertThatThrownBy(() -> numbers().throttle(2, Duration.ofNanos(1))).hasMessageContaining("1 per nanosecond");
        assertThatThrownBy(() -> numbers().throttle(1, SECOND, 0, ThrottleMode.SHAPING))
                .hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> numbers().throttle(1, Duration.ZERO)).hasMessageContaining("longer than zero");
        assertThatThrownBy(() -> numbers().batch(0, n -> n, Integer::sum)).hasMessageContaining("not 0");
    }

    @Test
    @Operator("throttle")
    void costsOfAnySizeTakeTheirTimeToTheNanosecond() {
        long perDay = 10_000_000_000_000L;
        Duration day = Duration.ofDays(1);
        Ends<Integer, Integer> ends = runAsked(
                numbers().throttle(perDay, day, perDay / 2, n -> n * 2_000_000_000_000L, ThrottleMode.SHAPING));
        ends.send(2, 3, 1);
        ends.sink().expectNext(2);
        time.advance(day.dividedBy(2).minusNanos(1));
        ends.expectNothing();
        time.advance(Duration.ofNanos(1));
        ends.sink().expectNext(3);
        time.advance(day.dividedBy(5));
        ends.sink().expectNext(1);
        TokenBucket bucket = new TokenBucket(perDay, day.toNanos(), 1, 0);
        assertThat(bucket.take(2_000_000, 0)).isEqualTo(17_280_000 - 8);
        for (int i = 1; i < 7; i++) {
            bucket.take(perDay / 7, 0);
        }
        assertThat(bucket.take(perDay - 6 * (perDay / 7) - 2_000_000, 0)).isEqualTo(day.toNanos() - 8);
    }

    @Test
    @Operator("throttle")
    void aCostThatIsNeverCoveredIsTooEarlyOrWaits() {
        for (ThrottleMode mode : ThrottleMode.values()) {
            Ends<Integer, Integer> ends = runAsked(numbers().throttle(7, SECOND, 1, n -> Long.MAX_VALUE, mode));
            ends.send(1);
            if (mode == ThrottleMode.ENFORCING) {
                assertThat(ends.sink().expectError()).isInstanceOf(RateExceededException.class);
            } else {
                time.advance(Duration.ofDays(10_000));
                ends.expectNothing();
            }
        }
    }
}
