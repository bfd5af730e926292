package io.millrace.streams.engine.island;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.OwnJvm;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.streams.stage.StageActorRef.ReplyTo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StageActorRefTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    /** A stage that answers nothing. */
    private static final class Silent
            extends GraphStageWithMaterializedValue<SourceShape<String>, StageActorRef<Object>> {
        private final SourceShape<String> shape = SourceShape.of(Outlet.create("silent.out"));

        @Override
        public SourceShape<String> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<Object>> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic(shape);
            return new LogicAndValue<>(logic, logic.ref);
        }

        private static final class Logic extends GraphStageLogic implements OutHandler {
            private final StageActorRef<Object> ref = stageActor(message -> {});

            Logic(SourceShape<String> shape) {
                super(shape);
                setHandler(shape.out(), this);
            }

            @Override
            public void onPull() {
                // It has nothing to say.
            }
        }
    }

    @Test
    void aMessageForWhichThereIsNoMemoryGivesItsPlaceBack() throws Exception {
        OwnJvm.assertSucceeds(FullHeapMailboxProgram.class, List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:-UseTLAB"));
    }

    @Test
    void aQuestionThatCouldNotBeSentIsForgotten() {
        StageActorRef<Object> ref =
                Source.fromGraph(new Silent()).to(Sink.ignore()).run(runtime);
        Function<ReplyTo<String>, Object> failing = reply -> {
            throw new IllegalStateException("no question, on purpose");
        };
        assertThatThrownBy(() -> ref.ask(failing, Duration.ofHours(1))).hasMessageContaining("on purpose");
        assertThat(((StageActor<Object>) ref).awaitingEnd()).isZero();
        ThrowingFunction<ReplyTo<String>, Object> broken = reply -> {
            throw new AssertionError("broken, on purpose");
        };
        assertThatThrownBy(() -> ((StageActor<Object>) ref).ask(broken)).hasMessageContaining("on purpose");
        assertThat(((StageActor<Object>) ref).awaitingEnd()).isZero();
        assertThat(ref.<String>ask(reply -> "a question", Duration.ofHours(1))).isNotNull();
        assertThat(((StageActor<Object>) ref).awaitingEnd()).isOne();
    }

    private Pair<StageActorRef<Object>, UniqueKillSwitch> start() {
        return Source.fromGraph(new Silent())
                .viaMat(KillSwitches.<String>single(), Keep.both())
                .to(Sink.ignore())
                .run(runtime);
    }

    private static int awaitingEnd(StageActorRef<Object> ref) {
        return ((StageActor<Object>) ref).awaitingEnd();
    }

    @Test
    void aWatchIsKeptNoLongerThanBothOfItsStagesLive() {
        Pair<StageActorRef<Object>, UniqueKillSwitch> longLived = start();
        StageActorRef<Object> ref = longLived.first();
        for (int i = 0; i < 100; i++) {
            Pair<StageActorRef<Object>, UniqueKillSwitch> shortLived = start();
            shortLived.first().watch(ref, "the long one is gone");
            ref.watch(shortLived.first(), "a short one is gone");
            shortLived.first().watch(ref, "said anew");
            assertThat(awaitingEnd(ref)).isPositive();
            shortLived.second().shutdown();
            Await.until("it has stopped", shortLived.first()::isTerminated);
            Await.until("its watches are forgotten", () -> awaitingEnd(ref) == 0);
            assertThat(awaitingEnd(shortLived.first())).isZero();
        }
    }

    @Test
    void aWatchThatIsTakenBackOrComesTooLateIsNotKept() {
        Pair<StageActorRef<Object>, UniqueKillSwitch> watched = start();
        Pair<StageActorRef<Object>, UniqueKillSwitch> watcher = start();
        watcher.first().watch(watched.first(), "gone");
        watcher.first().unwatch(watched.first());
        assertThat(awaitingEnd(watched.first())).isZero();
        assertThat(awaitingEnd(watcher.first())).isZero();
        watcher.second().shutdown();
        Await.until("the watcher has stopped", watcher.first()::isTerminated);
        watcher.first().watch(watched.first(), "to nobody");
        assertThat(awaitingEnd(watched.first())).isZero();
        assertThat(awaitingEnd(watcher.first())).isZero();
    }

    @Test
    void watchesOfStagesThatStopMeanwhileAreNotKept() throws Exception {
        StageActorRef<Object> ref = start().first();
        for (int i = 0; i < 2_000; i++) {
            Pair<StageActorRef<Object>, UniqueKillSwitch> shortLived = start();
            shortLived.second().shutdown();
            for (int j = 0; j < 10; j++) {
                shortLived.first().watch(ref, "the long one is gone");
            }
            ref.watch(shortLived.first(), "a short one is gone");
            Await.await(shortLived.first().whenTerminated());
        }
        Await.until("no watch is left", () -> awaitingEnd(ref) == 0);
    }

    @Test
    void allHearOfTheEndThoughFailuresHaveNoText() {
        StageActorRef<Object> ref =
                Source.fromGraph(new Silent()).to(Sink.ignore()).run(runtime);
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            ref.onTermination(() -> {
                told.incrementAndGet();
                throw new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new UnsupportedOperationException("no text, on purpose");
                    }
                };
            });
        }
        runtime.close();
        Await.until("all have heard", () -> told.get() == 20);
    }
}
