package io.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Pair;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StreamRuntimeExtension.class)
final class TestSourceTest {
    @Test
    void aStreamThatIsEndedByForceHasCancelled() {
        StreamRuntime own = StreamRuntime.create();
        TestSource<Integer> source =
                TestSource.<Integer>probe().toMat(Sink.ignore(), Keep.left()).run(own);
        own.close();
        assertThat(source.awaitCancellation()).isInstanceOf(AbruptTerminationException.class);
    }

    @Test
    void theCompletionComesBehindAllThatWasSent(StreamRuntime runtime) throws Exception {
        for (int round = 0; round < 300; round++) {
            Pair<TestSource<Integer>, CompletionStage<Integer>> run = TestSource.<Integer>probe()
                    .toMat(Sink.<Integer, Integer>fold(0, (count, element) -> count + 1), Keep.both())
                    .run(runtime);
            for (int i = 0; i < 100; i++) {
                run.first().send(i);
            }
            run.first().complete();
            assertThat(run.second().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .as("elements of round %d", round)
                    .isEqualTo(100);
        }
    }
}
