package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.MailboxLimit;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A flood of messages to a stage that also has a timer, an upstream and a kill switch in its island. */
@Behaviour("ACT-7")
final class EndlessFloodTest extends EngineTest {
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong ticks = new AtomicLong();
    private final AtomicLong elements = new AtomicLong();

    @Override
    protected RuntimeSettings settings() {
        return super.settings().withThreads(1);
    }

    /** Counts what comes by each of its three ways. */
    private final class Busy
            extends GraphStageWithMaterializedValue<FlowShape<Integer, Integer>, StageActorRef<Integer>> {
        private final Inlet<Integer> in = Inlet.create("busy.in");
        private final Outlet<Integer> out = Outlet.create("busy.out");
        private final FlowShape<Integer, Integer> shape = FlowShape.of(in, out);

        @Override
        public FlowShape<Integer, Integer> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<Integer>> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic();
            return new LogicAndValue<>(logic, logic.actor);
        }

        private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
            private final StageActorRef<Integer> actor = stageActor(
                    message -> messages.incrementAndGet(), MailboxLimit.blocking(100_000, Duration.ofSeconds(30)));

            Logic() {
                super(shape);
                setHandlers(in, out, this);
            }

            @Override
            public void preStart() {
                schedulePeriodically("tick", Duration.ofMillis(1), Duration.ofMillis(1));
            }

            @Override
            public void onTimer(Object key) {
                ticks.incrementAndGet();
            }

            @Override
            public void onPush() {
                elements.incrementAndGet();
                push(out, grab(in));
            }

            @Override
            public void onPull() {
                pull(in);
            }
        }
    }

    private <M> Pair<Pair<Pair<M, StageActorRef<Integer>>, UniqueKillSwitch>, CompletionStage<Done>> run(
            Source<Integer, M> upstream) {
        return upstream.viaMat(new Busy(), Keep.both())
                .viaMat(KillSwitches.<Integer>single(), Keep.both())
                .toMat(Sink.<Integer>ignore(), Keep.both())
                .run(runtime);
    }

    @Test
    void elementsFromOutsideTimersAndTheKillSwitchKeepMakingProgress() throws Exception {
        var running = run(TestSource.<Integer>probe());
        TestSource<Integer> upstream = running.first().first().first();
        flooded(running.first().first().second(), () -> {
            for (int i = 0; i < 200; i++) {
                upstream.send(i);
            }
            Await.until(() -> elements.get() == 200 && ticks.get() >= 10 && messages.get() >= 10_000);
            running.first().second().shutdown();
            await(running.second());
        });
    }

    @Test
    void anEndlessSourceInTheSameIslandDoesNotChangeThat() throws Exception {
        var running = run(Source.repeat(1));
        flooded(running.first().first().second(), () -> {
            Await.until(() -> elements.get() >= 10_000 && ticks.get() >= 10 && messages.get() >= 10_000);
            running.first().second().shutdown();
            await(running.second());
        });
    }

    /** Something a test does that may throw. */
    private interface Step {
        void run() throws Exception;
    }

    private static void flooded(StageActorRef<Integer> actor, Step step) throws Exception {
        AtomicBoolean flooding = new AtomicBoolean(true);
        Thread flood = new Thread(() -> {
            while (flooding.get()) {
                actor.tell(1);
            }
        });
        flood.start();
        try {
            step.run();
        } finally {
            flooding.set(false);
            flood.join();
        }
    }
}
