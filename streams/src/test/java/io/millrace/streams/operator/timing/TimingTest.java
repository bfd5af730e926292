package io.millrace.streams.operator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Source;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Operators that choose, group or move elements by time. */
class TimingTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    @Operator("delay")
    void eachElementComesSoMuchLater() {
        Ends<Integer, Integer> ends = runAsked(numbers().delay(SECOND));
        ends.send(1);
        advanceMillis(400);
        ends.send(2, 3);
        advanceMillis(599);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(1);
        ends.source().complete();
        advanceMillis(399);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(2, 3).expectComplete();
    }

    @Test
    @Operator("delay")
    void elementsWhoseTimeHasPassedComeAsTheyAreAskedForAndNoTimerRunsMeanwhile() {
        Ends<Integer, Integer> ends = run(numbers().delay(SECOND));
        ends.send(1, 2);
        assertThat(time.waiting()).isZero();
        advanceMillis(5_000);
        ends.sink().request(1).expectNext(1);
        ends.expectNothing();
        ends.sink().request(1).expectNext(2);
    }

    @Test
    @Operator("delay")
    void aFullDelayDoesWhatItsStrategySays() {
        Ends<Integer, Integer> waiting = runAsked(numbers().delay(SECOND, 2, OverflowStrategy.BACKPRESSURE));
        waiting.send(1, 2, 3);
        advanceMillis(1_000);
        waiting.sink().expectNext(1, 2);
        waiting.expectNothing();
        advanceMillis(1_000);
        waiting.sink().expectNext(3);
        Ends<Integer, Integer> dropping = runAsked(numbers().delay(SECOND, 2, OverflowStrategy.DROP_HEAD));
        dropping.send(1, 2, 3);
        advanceMillis(1_000);
        dropping.sink().expectNext(2, 3);
        Ends<Integer, Integer> failing = runAsked(numbers().delay(SECOND, 2, OverflowStrategy.FAIL));
        failing.send(1, 2, 3);
        assertThat(failing.sink().expectError()).isInstanceOf(BufferOverflowException.class);
    }

    @Test
    @Operator("delayWith")
    void delaysMayDifferButTheOrderStays() {
        Ends<Integer, Integer> ends =
                runAsked(numbers().delayWith(Duration::ofMillis, 16, OverflowStrategy.BACKPRESSURE));
        ends.send(100, 300, 200);
        advanceMillis(99);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(100);
        advanceMillis(199);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(300, 200);
        ends.send(-1);
        assertThat(ends.sink().expectError()).hasStackTraceContaining("must not be negative, not PT-0.001S");
    }

    @Test
    @Operator("delayWith")
    void whenTheElementThatWasWaitedForIsDroppedTheNextIsNotLate() {
        Ends<Integer, Integer> ends = runAsked(numbers().delayWith(Duration::ofMillis, 1, OverflowStrategy.DROP_HEAD));
        ends.send(5_000, 100);
        advanceMillis(99);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(100);
    }

    @Test
    @Operator("debounce")
    void anElementComesOnceItIsQuiet() {
        Ends<Integer, Integer> ends = runAsked(numbers().debounce(SECOND));
        for (int i = 0; i < 10; i++) {
            ends.send(i);
            assertThat(time.waiting()).isOne();
            advanceMillis(999);
        }
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(9);
        advanceMillis(10_000);
        ends.expectNothing();
        ends.send(10);
        ends.source().complete();
        ends.sink().expectNext(10).expectComplete();
    }

    @Test
    @Operator("debounce")
    void ofSeveralThatNobodyAskedForTheLastComes() {
        Ends<Integer, Integer> ends = run(numbers().debounce(SECOND));
        ends.send(1);
        advanceMillis(1_000);
        ends.send(2);
        advanceMillis(1_000);
        ends.send(3);
        ends.sink().request(2).expectNext(2);
        ends.expectNothing();
        advanceMillis(1_000);
        ends.sink().expectNext(3);
    }

    @Test
    @Operator("debounce")
    void theLastElementWaitsForDemandAfterTheCompletion() {
        Ends<Integer, Integer> ends = run(numbers().debounce(SECOND));
        ends.send(1, 2);
        ends.source().complete();
        advanceMillis(10_000);
        ends.sink().request(1).expectNext(2).expectComplete();
    }

    @Test
    @Operator("sample")
    void theLatestElementComesAtTheEndOfEachPeriod() {
        Ends<Integer, Integer> ends = runAsked(numbers().sample(SECOND));
        assertThat(time.waiting()).isZero();
        advanceMillis(300);
        ends.send(1, 2);
        advanceMillis(699);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(2);
        advanceMillis(5_999);
        ends.expectNothing();
        ends.send(3);
        advanceMillis(1);
        ends.sink().expectNext(3);
        ends.send(4);
        ends.source().complete();
        ends.sink().expectNext(4).expectComplete();
    }

    @Test
    @Operator("throttleLatest")
    void theFirstElementComesAtOnceAndThenTheLatestOncePerPeriod() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttleLatest(SECOND));
        advanceMillis(77);
        ends.send(1, 2, 3);
        ends.sink().expectNext(1);
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(3);
        advanceMillis(1_000);
        ends.expectNothing();
        ends.send(4, 5);
        ends.sink().expectNext(4);
        ends.source().complete();
        ends.sink().expectNext(5).expectComplete();
    }

    @Test
    @Operator("throttleLatest")
    void thePeriodBeginsWhenDownstreamTakesTheElement() {
        Ends<Integer, Integer> ends = run(numbers().throttleLatest(SECOND));
        ends.send(1, 2);
        advanceMillis(5_000);
        ends.sink().request(2).expectNext(2);
        ends.send(3);
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(3);
    }

    @Test
    @Operator("throttleFirst")
    void whatComesWithinThePeriodAfterAnElementIsDropped() {
        Ends<Integer, Integer> ends = runAsked(numbers().throttleFirst(SECOND));
        ends.send(1, 2);
        advanceMillis(999);
        ends.send(3);
        ends.sink().expectNext(1);
        ends.expectNothing();
        advanceMillis(1);
        ends.send(4, 5);
        ends.sink().expectNext(4);
        ends.source().complete();
        ends.sink().expectComplete();
    }

    @Test
    @Operator("groupedWithin")
    void aGroupGoesWhenItIsFullOrItsFirstElementHasWaitedForSoLong() {
        Ends<Integer, List<Integer>> ends = runAsked(numbers().groupedWithin(3, SECOND));
        advanceMillis(700);
        ends.send(1, 2, 3, 4);
        ends.sink().expectNext(List.of(1, 2, 3));
        advanceMillis(500);
        ends.send(5);
        advanceMillis(499);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(List.of(4, 5));
        advanceMillis(10_000);
        ends.expectNothing();
        assertThat(time.waiting()).isZero();
        ends.send(6);
        ends.source().complete();
        ends.sink().expectNext(List.of(6)).expectComplete();
    }

    @Test
    @Operator("groupedWithin")
    void theTimeOfAGroupThatWasFullDoesNotCutTheNextShort() {
        Ends<Integer, List<Integer>> ends = runAsked(numbers().groupedWithin(2, SECOND));
        ends.send(1);
        advanceMillis(900);
        ends.send(2, 3);
        ends.sink().expectNext(List.of(1, 2));
        assertThat(time.waiting()).isOne();
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(List.of(3));
    }

    @Test
    @Operator("groupedWithin")
    void aGroupThatNobodyAskedForGrowsUntilItIsFull() {
        Ends<Integer, List<Integer>> ends = run(numbers().groupedWithin(3, SECOND));
        ends.send(1);
        advanceMillis(1_000);
        ends.send(2, 3, 4, 5);
        ends.sink().request(1).expectNext(List.of(1, 2, 3));
        ends.source().complete();
        ends.sink().request(1).expectNext(List.of(4, 5)).expectComplete();
    }

    @Test
    @Operator("groupedWeightedWithin")
    void aGroupHoldsUpToItsWeightAndAHeavierElementStaysAlone() {
        Ends<Integer, List<Integer>> ends = runAsked(numbers().groupedWeightedWithin(10, SECOND, n -> n));
        ends.send(4, 6, 5, 7, 20, 0);
        ends.sink().expectNext(List.of(4, 6), List.of(5), List.of(7), List.of(20));
        ends.send(1);
        ends.expectNothing();
        advanceMillis(1_000);
        ends.sink().expectNext(List.of(0, 1));
        ends.send(9, 2);
        ends.sink().expectNext(List.of(9));
        ends.source().complete();
        ends.sink().expectNext(List.of(2)).expectComplete();
    }

    @Test
    @Operator("groupedWeightedWithin")
    void anElementThatWaitsForTheNextGroupKeepsItsTime() {
        Ends<Integer, List<Integer>> ends = run(numbers().groupedWeightedWithin(5, SECOND, n -> n));
        ends.send(3, 4);
        advanceMillis(10_000);
        ends.sink().request(2).expectNext(List.of(3), List.of(4));
        ends.send(3);
        advanceMillis(400);
        ends.send(4);
        advanceMillis(600);
        ends.sink().request(2).expectNext(List.of(3));
        advanceMillis(399);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(List.of(4));
    }

    @Test
    @Operator("keepAlive")
    void anElementThatDoesNotComeInTimeIsReplaced() {
        AtomicInteger made = new AtomicInteger();
        Ends<Integer, Integer> ends = run(numbers().keepAlive(SECOND, made::decrementAndGet));
        ends.sink().request(1);
        advanceMillis(600);
        ends.send(1);
        ends.sink().expectNext(1);
        advanceMillis(5_000);
        ends.sink().request(2);
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(-1);
        advanceMillis(1_000);
        ends.sink().expectNext(-2);
        ends.send(2);
        ends.expectNothing();
        ends.source().complete();
        ends.sink().request(1).expectNext(2).expectComplete();
        assertThat(made).hasValue(-2);
    }

    @Test
    @Operator("keepAlive")
    void eachElementMovesTheTimeAtWhichOneIsReplaced() {
        Ends<Integer, Integer> ends = runAsked(numbers().keepAlive(SECOND, () -> 0));
        for (int i = 1; i < 10; i++) {
            advanceMillis(600);
            ends.send(i);
            ends.sink().expectNext(i);
            assertThat(time.waiting()).isOne();
        }
        advanceMillis(999);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectNext(0);
    }

    @Test
    @Operator("initialDelay")
    void nothingIsAskedForUntilTheDelayIsOver() {
        Ends<Integer, Integer> ends = runAsked(numbers().initialDelay(SECOND));
        advanceMillis(999);
        ends.source().expectNothing(Duration.ZERO);
        advanceMillis(1);
        ends.source().expectPull();
        ends.send(1, 2);
        ends.sink().expectNext(1, 2);
        Ends<Integer, Integer> empty = runAsked(numbers().initialDelay(SECOND));
        empty.source().complete();
        empty.sink().expectComplete();
    }

    @Test
    @Operator("takeWithin")
    void theStreamCompletesWhenTheTimeIsOver() {
        Ends<Integer, Integer> ends = runAsked(numbers().takeWithin(SECOND));
        ends.send(1);
        advanceMillis(999);
        ends.send(2);
        ends.sink().expectNext(1, 2);
        ends.expectNothing();
        advanceMillis(1);
        ends.sink().expectComplete();
        ends.source().awaitCancellation();
    }

    @Test
    @Operator("takeWithin")
    void whatFollowsStillHasItsSayAndWhatWasHeldBackBeforeHasNot() {
        Ends<Integer, Integer> fold = runAsked(numbers().takeWithin(SECOND).fold(0, Integer::sum));
        fold.send(1, 2);
        advanceMillis(1_000);
        fold.sink().expectNext(3).expectComplete();
        Ends<Integer, Integer> held = run(numbers().fold(0, Integer::sum).takeWithin(SECOND));
        held.sink().expectNothing(Duration.ZERO);
        held.source().complete();
        advanceMillis(1_000);
        held.sink().expectComplete();
    }

    @Test
    @Operator("dropWithin")
    void whatComesBeforeTheTimeIsOverIsDropped() {
        Ends<Integer, Integer> ends = runAsked(numbers().dropWithin(SECOND));
        ends.send(1);
        advanceMillis(999);
        ends.send(2);
        ends.expectNothing();
        advanceMillis(1);
        assertThat(time.waiting()).isZero();
        ends.send(3);
        ends.sink().expectNext(3);
    }

    @Test
    void timesThatMakeNoSenseAreRefused() {
        Source<Integer, ?> source = Source.single(1);
        assertThatThrownBy(() -> source.delay(SECOND.negated())).hasMessageContaining("not PT-1S");
        assertThatThrownBy(() -> source.delay(SECOND, 0, OverflowStrategy.FAIL)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> source.debounce(Duration.ZERO)).hasMessage(zero("debounce"));
        assertThatThrownBy(() -> source.sample(Duration.ZERO)).hasMessage(zero("sample"));
        assertThatThrownBy(() -> source.throttleLatest(Duration.ZERO)).hasMessage(zero("throttleLatest"));
        assertThatThrownBy(() -> source.throttleFirst(Duration.ZERO)).hasMessage(zero("throttleFirst"));
        assertThatThrownBy(() -> source.groupedWithin(1, Duration.ZERO)).hasMessage(zero("groupedWithin"));
        assertThatThrownBy(() -> source.groupedWithin(0, SECOND)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> source.keepAlive(Duration.ZERO, () -> 0)).hasMessage(zero("keepAlive"));
        assertThatThrownBy(() -> source.takeWithin(Duration.ZERO)).hasMessage(zero("takeWithin"));
        assertThatThrownBy(() -> source.dropWithin(Duration.ZERO)).hasMessage(zero("dropWithin"));
    }

    private static String zero(String operator) {
        return operator + ": the duration must be longer than zero, not PT0S";
    }
}
