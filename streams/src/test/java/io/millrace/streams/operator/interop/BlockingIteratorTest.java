package io.millrace.streams.operator.interop;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Await;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Elements of streams for threads that wait for them. */
final class BlockingIteratorTest extends OperatorTest {
    @Test
    @Operator("runToIterable")
    void eachIteratorIsARunOfItsOwn() {
        AtomicInteger runs = new AtomicInteger();
        Iterable<Integer> numbers = Source.fromIterator(() -> {
                    runs.incrementAndGet();
                    return List.of(1, 2, 3).iterator();
                })
                .runToIterable(runtime);
        assertThat(runs).hasValue(0);
        for (int i = 1; i <= 2; i++) {
            List<Integer> seen = new ArrayList<>();
            for (int number : numbers) {
                seen.add(number);
            }
            assertThat(seen).containsExactly(1, 2, 3);
            assertThat(runs).hasValue(i);
        }
        Iterator<Integer> nothing =
                Source.<Integer>empty().runToIterable(runtime).iterator();
        assertThat(nothing.hasNext()).isFalse();
        assertThatThrownBy(nothing::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    @Operator({"runToIterable", "runToStream"})
    void noMoreThanSixteenAreAskedForAhead() {
        AtomicInteger made = new AtomicInteger();
        Stream<Integer> numbers =
                Source.range(0, 1_000).doOnNext(n -> made.incrementAndGet()).runToStream(runtime);
        Iterator<Integer> iterator = numbers.iterator();
        assertThat(iterator.next()).isZero();
        Await.until(() -> made.get() == 17);
        numbers.close();
        nothingRuns();
        assertThat(made).hasValue(17);
    }

    @Test
    @Operator("runToStream")
    void aStreamHasAllInOrder() {
        assertThat(Source.range(0, 10_000).map(n -> n * 2).runToStream(runtime).limit(20_000))
                .hasSize(10_000)
                .startsWith(0, 2, 4);
        assertThat(Source.range(0, 5_000).runToStream(runtime).parallel().collect(Collectors.toList()))
                .hasSize(5_000)
                .isSorted();
        try (Stream<Integer> first = Source.repeat(7).runToStream(runtime)) {
            assertThat(first.limit(3)).containsExactly(7, 7, 7);
        }
        nothingRuns();
    }

    @Test
    @Operator("runToIterable")
    void aFailureComesBehindTheElementsAndStays() {
        IllegalStateException mine = new IllegalStateException("mine");
        Iterator<Integer> failing = failing(mine).iterator();
        assertThat(List.of(failing.next(), failing.next())).containsExactly(1, 2);
        assertThatThrownBy(failing::hasNext).isSameAs(mine);
        assertThatThrownBy(failing::next).isSameAs(mine);
        AssertionError error = new AssertionError("error");
        assertThatThrownBy(() -> failing(error).forEach(n -> {})).isSameAs(error);
        IOException checked = new IOException("checked");
        assertThatThrownBy(() -> failing(checked).forEach(n -> {}))
                .isInstanceOf(CompletionException.class)
                .hasCause(checked);
    }

    private Iterable<Integer> failing(Throwable failure) {
        return Source.of(1, 2).concat(Source.<Integer>failed(failure)).runToIterable(runtime);
    }

    @Test
    @Operator("runToIterable")
    void anInterruptCancelsAndIsNoCleanEnd() throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        AtomicBoolean isMarked = new AtomicBoolean();
        Iterator<Integer> endless =
                Source.<Integer>never().runToIterable(runtime).iterator();
        Thread reader = new Thread(() -> {
            Throwable thrown = catchThrowable(endless::hasNext);
            isMarked.set(Thread.currentThread().isInterrupted());
            ended.complete(thrown);
        });
        reader.start();
        Await.until(() -> reader.getState() == Thread.State.WAITING);
        reader.interrupt();
        assertThat(await(ended)).isInstanceOf(CompletionException.class).hasCauseInstanceOf(InterruptedException.class);
        assertThat(isMarked).isTrue();
        nothingRuns();
        assertThatThrownBy(endless::hasNext).isInstanceOf(CompletionException.class);
    }

    @Test
    @Operator({"runToIterable", "runToStream"})
    void whoRunsAStreamOfTheRuntimeIsRefused() throws Exception {
        Source<Integer, NotUsed> numbers = Source.range(0, 5);
        Iterable<Integer> iterable = numbers.runToIterable(runtime);
        assertThat(failureOf(Source.of(1).map(n -> iterable.iterator())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this thread runs a stream");
        assertThat(failureOf(Source.of(1).map(n -> numbers.runToStream(runtime))))
                .isInstanceOf(IllegalStateException.class);
        CompletableFuture<Integer> never = new CompletableFuture<>();
        Iterator<Integer> waiting =
                Source.fromCompletionStage(never).runToIterable(runtime).iterator();
        assertThat(failureOf(Source.of(1).map(n -> waiting.hasNext()))).isInstanceOf(IllegalStateException.class);
        never.complete(1);
        assertThat(waiting.next()).isEqualTo(1);
        try (StreamRuntime other = StreamRuntime.create()) {
            CompletionStage<List<Integer>> inside =
                    Source.of(1).mapConcat(n -> numbers.runToIterable(other)).runWith(Sink.seq(), runtime);
            assertThat(await(inside)).containsExactly(0, 1, 2, 3, 4);
        }
    }
}
