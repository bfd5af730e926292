package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.StreamLeakCheck;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** On one thread only, so that an island that never yields would stop everything else. */
final class BudgetTest extends EngineTest {
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withThreads(1);
    }

    @Test
    @Behaviour("INT-2")
    void endlessFusedSourceLetsOtherIslandsAndItsOwnKillSwitchHaveTheirTurn() throws Exception {
        Pair<UniqueKillSwitch, CompletionStage<Integer>> endless = Source.repeat(1)
                .viaMat(KillSwitches.<Integer>single(), Keep.right())
                .toMat(Sink.<Integer, Integer>fold(0, Integer::sum), Keep.both())
                .run(runtime);
        assertThat(await(Source.range(0, 1000).runWith(Sink.seq(), runtime))).hasSize(1000);
        endless.first().shutdown();
        await(endless.second());
    }

    @Test
    @Behaviour("ACT-7")
    void endlessFloodOfMessagesLetsOtherEventsOfTheIslandAndOtherIslandsProgress() throws Exception {
        Pair<Pair<StageActorRef<Integer>, UniqueKillSwitch>, CompletionStage<Integer>> flooded = Source.fromGraph(
                        new ActorSource())
                .viaMat(KillSwitches.<Integer>single(), Keep.both())
                .toMat(Sink.<Integer, Integer>fold(0, (count, x) -> count + 1), Keep.both())
                .run(runtime);
        StageActorRef<Integer> ref = flooded.first().first();
        AtomicBoolean flooding = new AtomicBoolean(true);
        Thread flood = new Thread(() -> {
            while (flooding.get() && !ref.isTerminated()) {
                ref.tell(1);
            }
        });
        flood.start();
        try {
            assertThat(await(Source.range(0, 1000).runWith(Sink.seq(), runtime)))
                    .hasSize(1000);
            flooded.first().second().shutdown();
            await(flooded.second());
        } finally {
            flooding.set(false);
            flood.join();
        }
    }

    @Test
    @Behaviour({"INT-2", "MAT-5"})
    void anIslandWhoseBudgetEndsWithItsLastStageEndsAllTheSame() throws Exception {
        for (int budget = 1; budget <= 40; budget++) {
            RuntimeSettings own = super.settings().withEventBudget(1).withIslandBudget(budget);
            try (StreamRuntime few = StreamRuntime.create(own)) {
                assertThat(await(Source.range(0, 5).concat(Source.range(5, 10)).runWith(Sink.seq(), few)))
                        .hasSize(10);
                StreamLeakCheck.assertNoStreams(few);
            }
        }
    }
}
