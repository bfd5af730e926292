package io.millrace.docs.operators;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.RateExceededException;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/operators/timing.md, on a clock moved by hand. */
final class TimingExamplesTest {
    // snippet: clock
    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run), time);

    /** 0, 1, 2 and so on: at once, after 100 ms, after 200 ms. */
    private final Source<Long, ?> numbers =
            Source.tick(Duration.ZERO, ofMillis(100), "tick").zipWithIndex().map(Pair::second);

    private <T> List<T> seenIn(Duration duration, Source<T, ?> source) {
        List<T> seen = new ArrayList<>();
        source.runWith(Sink.foreach(seen::add), runtime);
        time.advance(duration);
        return seen;
    }
    // end

    private <T> Throwable failureIn(Duration duration, Source<T, ?> source) {
        CompletableFuture<?> end = source.runWith(Sink.ignore(), runtime).toCompletableFuture();
        time.advance(duration);
        return end.handle((done, failure) -> failure).join();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void bufferHoldsWhatIsNotAskedForYet() {
        // snippet: buffer
        TestSink<Integer> slow =
                Source.range(0, 100).buffer(2, OverflowStrategy.DROP_HEAD).runWith(TestSink.probe(), runtime);
        slow.request(2).expectNext(98, 99);
        // end
    }

    @Test
    void batchCollectsWhileDownstreamIsBusy() {
        // snippet: batch
        TestSink<String> slow = Source.of("a", "b", "c", "d", "e")
                .batch(3, first -> first, (batch, next) -> batch + next)
                .runWith(TestSink.probe(), runtime);
        slow.request(1).expectNext("abc");
        slow.request(1).expectNext("de");
        // end
    }

    @Test
    void batchWeightedCollectsUpToACost() {
        // snippet: batchWeighted
        TestSink<String> slow = Source.of("a", "bb", "cc", "dddddd")
                .batchWeighted(4, String::length, first -> first, (batch, next) -> batch + next)
                .runWith(TestSink.probe(), runtime);
        slow.request(1).expectNext("abb");
        slow.request(1).expectNext("cc");
        slow.request(1).expectNext("dddddd");
        // end
    }

    @Test
    void conflateNeverHoldsUpstreamUp() {
        // snippet: conflate
        List<Long> sums = seenIn(ofSeconds(2), numbers.conflate(Long::sum).throttle(1, ofSeconds(1)));
        assertThat(sums).containsExactly(0L, 1L, 2L + 3 + 4 + 5 + 6 + 7 + 8 + 9);
        // end
    }

    @Test
    void conflateWithSeedChangesTheType() {
        // snippet: conflateWithSeed
        TestSink<Integer> slow = Source.of("a", "b", "c")
                .conflateWithSeed(first -> 1, (count, next) -> count + 1)
                .runWith(TestSink.probe(), runtime);
        slow.request(1).expectNext(3);
        // end
    }

    @Test
    void expandAnswersOutOfTheLastElement() {
        // snippet: expand
        TestSink<String> fast = Source.tick(Duration.ZERO, ofMillis(200), "fresh")
                .expand(text -> Stream.iterate(text, last -> "stale").iterator())
                .runWith(TestSink.probe(), runtime);
        time.advance(ofMillis(100));
        fast.request(3).expectNext("fresh", "stale", "stale");
        time.advance(ofMillis(200));
        fast.request(2).expectNext("fresh", "stale");
        // end
    }

    @Test
    void extrapolateFillsGaps() {
        // snippet: extrapolate
        TestSink<String> fast = Source.tick(ofMillis(200), ofMillis(200), "news")
                .extrapolate(text -> Stream.generate(() -> "no " + text).iterator(), "soon")
                .runWith(TestSink.probe(), runtime);
        fast.request(2).expectNext("soon", "no soon");
        time.advance(ofMillis(200));
        fast.request(2).expectNext("news", "no news");
        // end
    }

    @Test
    void throttleKeepsARate() {
        // snippet: throttle
        Source<Integer, ?> many = Source.range(0, 1_000);
        assertThat(seenIn(ofMillis(500), many.throttle(4, ofSeconds(1)))).containsExactly(0, 1, 2);
        assertThat(failureIn(ofMillis(500), many.throttle(4, ofSeconds(1), 10, ThrottleMode.ENFORCING)))
                .isInstanceOf(RateExceededException.class);
        // end
    }

    @Test
    void delayMovesElementsInTime() {
        // snippet: delay
        List<Long> seen = seenIn(ofMillis(350), numbers.delay(ofMillis(200)));
        assertThat(seen).containsExactly(0L, 1L);
        // end
    }

    @Test
    void delayWithMovesEachElementByItsOwn() {
        // snippet: delayWith
        List<String> seen = seenIn(
                ofMillis(300),
                Source.of("soon", "not so soon", "later")
                        .delayWith(text -> ofMillis(25L * text.length()), 16, OverflowStrategy.BACKPRESSURE));
        assertThat(seen).containsExactly("soon", "not so soon", "later");
        // end
    }

    @Test
    void debounceWaitsForQuiet() {
        // snippet: debounce
        Source<String, ?> typed =
                Source.of("m", "mi", "mill").concat(Source.single("millrace").initialDelay(ofMillis(500)));
        assertThat(seenIn(ofSeconds(1), typed.debounce(ofMillis(300)))).containsExactly("mill", "millrace");
        // end
    }

    @Test
    void sampleTakesTheLatestOfEachPeriod() {
        // snippet: sample
        List<Long> seen = seenIn(ofMillis(800), numbers.sample(ofMillis(250)));
        assertThat(seen).containsExactly(2L, 4L, 7L);
        // end
    }

    @Test
    void throttleLatestBeginsAtOnce() {
        // snippet: throttleLatest
        List<Long> seen = seenIn(ofMillis(800), numbers.throttleLatest(ofMillis(250)));
        assertThat(seen).containsExactly(0L, 2L, 4L, 7L);
        // end
    }

    @Test
    void throttleFirstTakesTheFirst() {
        // snippet: throttleFirst
        List<Long> seen = seenIn(ofMillis(800), numbers.throttleFirst(ofMillis(250)));
        assertThat(seen).containsExactly(0L, 3L, 6L);
        // end
    }

    @Test
    void groupedWithinBoundsTheWait() {
        // snippet: groupedWithin
        Source<Integer, ?> burst = Source.range(0, 5).concat(Source.never());
        List<List<Integer>> groups = seenIn(ofSeconds(1), burst.groupedWithin(3, ofSeconds(1)));
        assertThat(groups).containsExactly(List.of(0, 1, 2), List.of(3, 4));
        // end
    }

    @Test
    void groupedWeightedWithinBoundsTheWeight() {
        // snippet: groupedWeightedWithin
        Source<String, ?> lines = Source.of("abc", "de", "fghi").concat(Source.never());
        List<List<String>> groups = seenIn(ofSeconds(1), lines.groupedWeightedWithin(5, ofSeconds(1), String::length));
        assertThat(groups).containsExactly(List.of("abc", "de"), List.of("fghi"));
        // end
    }

    @Test
    void keepAliveFillsSilence() {
        // snippet: keepAlive
        Source<String, ?> rare = Source.tick(ofMillis(250), ofSeconds(1), "news");
        List<String> seen = seenIn(ofMillis(400), rare.keepAlive(ofMillis(100), () -> "ping"));
        assertThat(seen).containsExactly("ping", "ping", "news", "ping");
        // end
    }

    @Test
    void initialDelayHoldsDemandBack() {
        // snippet: initialDelay
        Source<String, ?> later = Source.of("a", "b").initialDelay(ofSeconds(1));
        assertThat(seenIn(ofMillis(999), later)).isEmpty();
        assertThat(seenIn(ofSeconds(1), later)).containsExactly("a", "b");
        // end
    }

    @Test
    void takeWithinEndsAfterAWhile() {
        // snippet: takeWithin
        List<Long> seen = seenIn(ofSeconds(1), numbers.takeWithin(ofMillis(250)));
        assertThat(seen).containsExactly(0L, 1L, 2L);
        // end
    }

    @Test
    void dropWithinBeginsAfterAWhile() {
        // snippet: dropWithin
        List<Long> seen = seenIn(ofMillis(400), numbers.dropWithin(ofMillis(250)));
        assertThat(seen).containsExactly(3L, 4L);
        // end
    }

    @Test
    void timeoutFailsOrGoesOnElsewhere() {
        // snippet: timeout
        Source<Long, ?> stuck = numbers.take(2).concat(Source.never());
        assertThat(failureIn(ofSeconds(2), stuck.timeout(ofSeconds(1)))).isInstanceOf(TimeoutException.class);
        List<Long> seen = seenIn(ofSeconds(2), stuck.timeout(ofSeconds(1), Source.single(-1L)));
        assertThat(seen).containsExactly(0L, 1L, -1L);
        // end
    }

    @Test
    void initialTimeoutIsForTheFirstElement() {
        // snippet: initialTimeout
        Source<Integer, ?> silent = Source.never();
        assertThat(failureIn(ofSeconds(1), silent.initialTimeout(ofSeconds(1))))
                .hasMessage("the first element has not come within PT1S");
        // end
    }

    @Test
    void idleTimeoutIsForBothSides() {
        // snippet: idleTimeout
        Source<Long, ?> slow = numbers.idleTimeout(ofSeconds(1)).throttle(1, ofSeconds(10));
        assertThat(failureIn(ofSeconds(2), slow)).hasMessage("no element has passed for PT1S");
        // end
    }

    @Test
    void completionTimeoutIsForTheWholeStream() {
        // snippet: completionTimeout
        assertThat(failureIn(ofSeconds(1), numbers.completionTimeout(ofSeconds(1))))
                .hasMessage("the stream has not ended within PT1S");
        // end
    }

    @Test
    void backpressureTimeoutIsForDownstream() {
        // snippet: backpressureTimeout
        Source<Long, ?> slow = numbers.backpressureTimeout(ofSeconds(1)).throttle(1, ofSeconds(10));
        assertThat(failureIn(ofSeconds(2), slow)).hasMessage("downstream has asked for nothing for PT1S");
        // end
    }
}
