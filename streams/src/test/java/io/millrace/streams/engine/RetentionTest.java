package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.graph.NotUsed;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@Behaviour("INT-7")
final class RetentionTest extends EngineTest {
    /** Two megabytes, so that a leak of many is a memory error soon. */
    private static final class Large {
        private final byte[] payload = new byte[1 << 21];

        int length() {
            return payload.length;
        }
    }

    @Test
    void handlesOfAFinishedStreamRetainNoElement() throws Exception {
        List<SourceQueue<Large>> handles = new ArrayList<>();
        List<WeakReference<Large>> elements = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Large large = new Large();
            elements.add(new WeakReference<>(large));
            var running = Source.<Large>queue(8)
                    .async()
                    .toMat(Sink.<Large>head(), Keep.both())
                    .run(runtime);
            running.first().offer(large);
            running.first().offer(large);
            assertThat(await(running.second()).length()).isEqualTo(1 << 21);
            handles.add(running.first());
        }
        StreamLeakCheck.assertNoStreams(runtime);
        Await.until(() -> {
            System.gc();
            return elements.stream().allMatch(element -> element.get() == null);
        });
        assertThat(handles).hasSize(20).allMatch(SourceQueue::isClosed);
    }

    @Test
    void aFutureThatOutlivesItsStreamsRetainsNoElement() throws Exception {
        CompletableFuture<Large> future = new CompletableFuture<>();
        List<WeakReference<Large>> elements = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Large large = new Large();
            elements.add(new WeakReference<>(large));
            Source<Large, ?> waiting = i % 2 == 0
                    ? Source.fromCompletionStage(future)
                    : Source.unfoldAsync(1, n -> future.thenApply(value -> Optional.empty()));
            await(waiting.merge(Source.of(large, large)).runWith(Sink.head(), runtime));
        }
        StreamLeakCheck.assertNoStreams(runtime);
        Await.until(() -> {
            System.gc();
            return elements.stream().allMatch(element -> element.get() == null);
        });
        assertThat(future).isNotDone();
    }

    @TestFactory
    Stream<DynamicTest> aFutureThatNeverCompletesRetainsNoElementThatItWasMadeOf() {
        CompletableFuture<Integer> never = new CompletableFuture<>();
        Map<String, Function<Source<Large, NotUsed>, Source<?, ?>>> waiting = new LinkedHashMap<>();
        waiting.put("mapAsync", source -> source.mapAsync(4, large -> never));
        waiting.put("mapAsyncPartitioned", source -> source.mapAsyncPartitioned(4, Large::length, large -> never));
        waiting.put("mapAsyncUnordered", source -> source.mapAsyncUnordered(4, large -> never));
        waiting.put(
                "mapAsync with context",
                source -> source.asSourceWithContext(large -> 1)
                        .mapAsync(4, large -> never)
                        .asSource());
        return waiting.entrySet().stream()
                .map(operator -> DynamicTest.dynamicTest(operator.getKey(), () -> {
                    WeakReference<Large> element = runAndStop(operator.getValue());
                    StreamLeakCheck.assertNoStreams(runtime);
                    Await.until(() -> {
                        System.gc();
                        return element.get() == null;
                    });
                    assertThat(never).isNotDone();
                }));
    }

    private WeakReference<Large> runAndStop(Function<Source<Large, NotUsed>, Source<?, ?>> waiting) throws Exception {
        Large large = new Large();
        CountDownLatch asked = new CountDownLatch(1);
        var running = waiting.apply(Source.single(large).concat(Source.lazy(() -> {
                    asked.countDown();
                    return Source.never();
                })))
                .killSwitch(Keep.right())
                .toMat(Sink.ignore(), Keep.both())
                .run(runtime);
        Await.await(asked, "the element has come");
        running.first().shutdown();
        await(running.second());
        return new WeakReference<>(large);
    }

    @Test
    void finishedStreamsVanishFromTheSnapshot() throws Exception {
        CompletionStage<Integer> failed =
                Source.<Integer>failed(new IllegalStateException("mine")).runWith(Sink.head(), runtime);
        awaitFailure(failed);
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(runtime.snapshot().streams()).isEmpty();
    }
}
