package io.millrace.streams.operator.failures;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.testkit.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sink that runs as a stream of its own within another fails that one, too, and is told of once. */
final class InnerSinkFailuresTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final IOException mine = new IOException("mine");
    private final List<StreamException> reported = new CopyOnWriteArrayList<>();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reported::add));

    @AfterEach
    void close() {
        runtime.close();
    }

    private Sink<Integer, CompletionStage<Done>> failing() {
        return Sink.foreach(element -> {
            throw mine;
        });
    }

    @Test
    @Operator("lazy")
    void theFailureOfALazySinkIsThatOfWhoFeedsIt() throws Exception {
        SourceQueue<Integer> queue =
                Source.<Integer>queue(8).to(Sink.lazy(this::failing)).run(runtime);
        queue.offer(1);
        assertThat(awaitFailure(queue.completion())).isSameAs(mine);
        Pair<CompletionStage<Done>, CompletionStage<CompletionStage<Done>>> ends = Source.range(0, 1_000_000)
                .watchTermination(Keep.<NotUsed, CompletionStage<Done>>right())
                .toMat(Sink.lazy(this::failing), Keep.both())
                .run(runtime);
        assertThat(awaitFailure(ends.first())).isSameAs(mine);
        assertThat(awaitFailure(await(ends.second()))).isSameAs(mine);
        Await.until("nothing runs any more", () -> runtime.snapshot().streams().isEmpty());
        assertThat(reported).hasSize(2);
    }

    @Test
    @Operator("restarting")
    void theLastFailureOfASinkThatIsMadeAgainIsReportedOnce() {
        RestartSettings settings =
                RestartSettings.of(Backoff.exponential(SECOND, SECOND)).withMaxRestarts(0, SECOND);
        Source.single(1)
                .concat(Source.never())
                .to(Sink.restarting(settings, this::failing))
                .run(runtime);
        Await.until("nothing runs any more", () -> runtime.snapshot().streams().isEmpty());
        assertThat(reported)
                .singleElement()
                .extracting(StreamException::getCause)
                .isSameAs(mine);
    }
}
