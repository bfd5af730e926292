package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

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

    @Test
    void finishedStreamsVanishFromTheSnapshot() throws Exception {
        CompletionStage<Integer> failed =
                Source.<Integer>failed(new IllegalStateException("mine")).runWith(Sink.head(), runtime);
        awaitFailure(failed);
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(runtime.snapshot().streams()).isEmpty();
    }
}
