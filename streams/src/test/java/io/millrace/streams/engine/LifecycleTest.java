package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LifecycleTest extends EngineTest {
    private static final int STAGES = 6;

    /** However long a thread is paused meanwhile, closing does not give up. */
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withCloseTimeout(Duration.ofMinutes(1));
    }

    private enum Injury {
        NONE,
        CREATE,
        START,
        STOP
    }

    /** Counts what becomes of each stage of a chain, one of which may be injured. */
    private static final class Census {
        final AtomicInteger created = new AtomicInteger();
        final AtomicInteger stopped = new AtomicInteger();
        final AtomicInteger fired = new AtomicInteger();
        final List<CompletableFuture<Done>> promises = new ArrayList<>();

        Source<Integer, NotUsed> chain(Source<Integer, NotUsed> source, int injured, Injury injury, boolean async) {
            Source<Integer, NotUsed> chain = source;
            for (int i = 0; i < STAGES; i++) {
                Injury mine = i == injured ? injury : Injury.NONE;
                chain = chain.via(TestStages.<Integer, Integer, NotUsed>flow(
                        shape -> new LogicAndValue<>(new Counted(shape, mine), NotUsed.NOT_USED)));
                chain = async ? chain.async() : chain;
            }
            return chain;
        }

        private final class Counted extends GraphStageLogic implements InHandler, OutHandler {
            private final FlowShape<Integer, Integer> shape;
            private final Injury injury;

            Counted(FlowShape<Integer, Integer> shape, Injury injury) {
                super(shape);
                this.shape = shape;
                this.injury = injury;
                setHandlers(shape.in(), shape.out(), this);
                if (injury == Injury.CREATE) {
                    throw new IllegalArgumentException("not made on purpose");
                }
                promises.add(promise());
                created.incrementAndGet();
            }

            @Override
            public void preStart() {
                schedulePeriodically("tick", Duration.ofDays(1), Duration.ofDays(1));
                if (injury == Injury.START) {
                    throw new IllegalArgumentException("not started on purpose");
                }
            }

            @Override
            public void postStop() {
                cancelTimer("none"); // needs no timers, which there may be none of any more
                assertThat(isTimerActive("none")).isFalse();
                stopped.incrementAndGet();
                if (injury == Injury.STOP) {
                    throw new IllegalArgumentException("not stopped on purpose");
                }
            }

            @Override
            public void onTimer(Object key) {
                fired.incrementAndGet();
            }

            @Override
            public void onPush() {
                push(shape.out(), grab(shape.in()));
            }

            @Override
            public void onPull() {
                pull(shape.in());
            }
        }
    }

    @Test
    @Behaviour({"MAT-2", "INT-5"})
    void failureToMakeAnyStageReleasesWhatWasMadeBefore() throws Exception {
        for (int k = 0; k < STAGES; k++) {
            Census census = new Census();
            var graph = census.chain(Source.never(), k, Injury.CREATE, true).to(Sink.ignore());
            assertThatThrownBy(() -> graph.named("broken").run(runtime))
                    .isInstanceOf(StreamException.class)
                    .hasMessageContaining("broken#")
                    .hasMessageContaining("probeFlow")
                    .hasRootCauseMessage("not made on purpose");
            assertThat(census.created).hasValue(k);
            assertThat(census.stopped).hasValue(k);
            for (CompletableFuture<Done> promise : census.promises) {
                assertThat(awaitFailure(promise)).hasMessage("not made on purpose");
            }
        }
    }

    @Test
    @Behaviour({"MAT-2", "INT-5"})
    void failureToStartAnyStageEndsTheWholeStream() throws Exception {
        for (int k = 0; k < STAGES; k++) {
            for (boolean async : new boolean[] {false, true}) {
                Census census = new Census();
                CompletionStage<Done> result = census.chain(Source.never(), k, Injury.START, async)
                        .toMat(Sink.ignore(), Keep.right())
                        .named("broken")
                        .run(runtime);
                Throwable failure = awaitFailure(result);
                assertThat(failure).hasMessage("not started on purpose");
                for (CompletableFuture<Done> promise : census.promises) {
                    assertThat(awaitFailure(promise)).isSameAs(failure);
                }
                Await.until(() -> census.stopped.get() == STAGES);
                assertThat(reported)
                        .filteredOn(report -> report.getCause() == failure)
                        .singleElement()
                        .satisfies(report -> assertThat(report)
                                .hasMessageContaining("broken#")
                                .hasMessageContaining("probeFlow"));
            }
        }
    }

    @Test
    @Behaviour("INT-5")
    void failureOfPostStopIsReportedAndTheOthersStopToo() throws Exception {
        Census census = new Census();
        await(census.chain(Source.range(0, 3), 2, Injury.STOP, false).runWith(Sink.ignore(), runtime));
        Await.until(() -> census.stopped.get() == STAGES);
        assertThat(reported)
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .hasMessageContaining("postStop failed")
                        .hasRootCauseMessage("not stopped on purpose"));
    }

    @Test
    @Behaviour({"INT-5", "MAT-1"})
    void closingTheRuntimeStopsEveryStageOnceAndFailsEveryFuture() throws Exception {
        Census census = new Census();
        CompletionStage<Done> result =
                census.chain(Source.never(), -1, Injury.NONE, true).runWith(Sink.ignore(), runtime);
        runtime.close();
        assertThat(awaitFailure(result)).isInstanceOf(AbruptTerminationException.class);
        for (CompletableFuture<Done> promise : census.promises) {
            assertThat(awaitFailure(promise)).isInstanceOf(AbruptTerminationException.class);
        }
        assertThat(census.stopped).hasValue(STAGES);
        assertThat(runtime.snapshot().streams()).isEmpty();
    }

    @Test
    void finishedStreamsStopEveryStageOnce() throws Exception {
        Census census = new Census();
        await(census.chain(Source.range(0, 10), -1, Injury.NONE, true).runWith(Sink.ignore(), runtime));
        Await.until(() -> census.stopped.get() == STAGES);
        assertThat(census.fired).hasValue(0);
    }
}
