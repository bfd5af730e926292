package io.millrace.streams;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a runtime says of itself. */
class StreamRuntimeTest {
    @Test
    void aThreadOfARuntimeIsKnownWhileItRunsAStream() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create();
                StreamRuntime other = StreamRuntime.create()) {
            assertThat(runtime.isRunningHere()).isFalse();
            assertThat(await(Source.of(1).map(n -> runtime.isRunningHere()).runWith(Sink.seq(), runtime)))
                    .containsExactly(true);
            assertThat(await(Source.of(1).map(n -> runtime.isRunningHere()).runWith(Sink.seq(), other)))
                    .containsExactly(false);
        }
    }
}
