package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** The code of docs/guides/streams.md about what stands at the edges of a stream. */
class EdgesGuideTest {
    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aStreamIsAPublisherAndAPublisherIsASource() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: interop
            Publisher<Integer> squares = Source.range(1, 4).map(n -> n * n).toPublisher(runtime); // for any peer

            CompletionStage<List<Integer>> back =
                    Source.<Integer>fromPublisher(squares).runWith(Sink.seq(), runtime);
            // end
            assertThat(await(back)).containsExactly(1, 4, 9);
        }
    }
}
