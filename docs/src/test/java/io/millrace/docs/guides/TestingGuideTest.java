package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.EventFuzz;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.StreamVerifier;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/guides/streams.md about testing. */
class TestingGuideTest {
    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Nested
    // snippet: probe
    @ExtendWith(StreamRuntimeExtension.class)
    class DoublingTest {
        @Test
        void elementsAreDoubled(StreamRuntime runtime) {
            Pair<TestSource<Integer>, TestSink<Integer>> ends = TestSource.<Integer>probe()
                    .map(n -> n * 2)
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(runtime);
            ends.second().request(1);
            ends.first().expectPull().send(4).complete();
            ends.second().expectNext(8).expectComplete();
        }
    }
    // end

    @Test
    void everyOrderOfEventsIsTried() {
        // snippet: fuzz
        EventFuzz.run(100, runtime -> {
            CompletionStage<List<Integer>> all =
                    Source.range(0, 3).merge(Source.range(3, 6)).runWith(Sink.seq(), runtime);
            assertThat(await(all)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        });
        // end
    }

    @Test
    void aScriptSaysWhatASourceMustDo() {
        // snippet: verifier
        StreamVerifier.create(Source.of(1, 2, 3).map(n -> n * 2))
                .expectNext(2, 4)
                .consumeNext(n -> assertThat(n).isEven())
                .expectComplete()
                .verify();

        StreamVerifier.withVirtualTime(() -> Source.tick(Duration.ofDays(1), Duration.ofDays(1), "day"))
                .expectNothing(Duration.ofHours(23))
                .thenAwait(Duration.ofHours(1))
                .expectNext("day")
                .thenCancel()
                .verify();
        // end
    }
}
