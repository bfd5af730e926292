package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream within a stream that cannot start is known by why, not by how it was ended. */
@Timeout(60)
final class AbortedStartTest extends EngineTest {
    private static final class Broken extends GraphStageLogic implements OutHandler, InHandler {
        Broken(SourceShape<Integer> shape) {
            super(shape);
            setHandler(shape.out(), this);
        }

        Broken(SinkShape<Integer> shape) {
            super(shape);
            setHandler(shape.in(), this);
        }

        @Override
        public void preStart() {
            throw new IllegalStateException("cannot start");
        }

        @Override
        public void onPull() {}

        @Override
        public void onPush() {}
    }

    private static Source<Integer, NotUsed> brokenSource() {
        return Source.fromGraph(
                TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(new Broken(shape), NotUsed.NOT_USED)));
    }

    private static Sink<Integer, NotUsed> brokenSink() {
        return Sink.fromGraph(
                TestStages.<Integer, NotUsed>sink(shape -> new LogicAndValue<>(new Broken(shape), NotUsed.NOT_USED)));
    }

    @Test
    void theStreamAroundHearsWhyAnInnerSourceCannotStart() throws Exception {
        assertThat(await(Source.single(1)
                        .flatMapConcat(n -> brokenSource())
                        .recover(IllegalStateException.class, e -> -1)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(-1);
        assertThat(await(Source.single(1)
                        .flatMapMerge(2, n -> brokenSource())
                        .recover(IllegalStateException.class, e -> -1)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(-1);
        assertThatThrownBy(
                        () -> await(Source.lazy(AbortedStartTest::brokenSource).runWith(Sink.seq(), runtime)))
                .hasRootCauseMessage("cannot start");
    }

    @Test
    void aSinkThatCannotStartIsStartedAgain() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        CountDownLatch got = new CountDownLatch(3);
        RestartSettings settings = RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)))
                .onFailuresOnly();
        Source.range(0, 10_000)
                .runWith(
                        Sink.restarting(
                                settings,
                                () -> starts.incrementAndGet() < 3
                                        ? brokenSink()
                                        : Sink.<Integer>foreach(n -> got.countDown())
                                                .mapMaterializedValue(done -> NotUsed.NOT_USED)),
                        runtime);
        assertThat(got.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(starts).hasValue(3);
    }
}
