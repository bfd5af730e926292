package io.millrace.streams.engine.island;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.engine.ActorSource;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@Behaviour("ACT-9")
final class WakeUpStressTest extends EngineTest {
    private static final long STRESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static void pause(Random random) {
        int kind = random.nextInt(8);
        if (kind == 0) {
            LockSupport.parkNanos(1);
        } else if (kind < 4) {
            for (int i = random.nextInt(200); i > 0; i--) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void noMessageIsStrandedHoweverSendersAndIslandInterleave() throws Exception {
        long seed = System.nanoTime();
        long deadline = System.nanoTime() + STRESS_NANOS;
        for (int round = 0; System.nanoTime() - deadline < 0; round++) {
            Random rounds = new Random(seed + round);
            int senders = 1 + rounds.nextInt(3);
            int each = 1 + rounds.nextInt(300);
            Pair<StageActorRef<Integer>, CompletionStage<Integer>> running = Source.fromGraph(new ActorSource())
                    .buffer(senders * each, OverflowStrategy.FAIL)
                    .async()
                    .take((long) senders * each)
                    .withAttributes(Attributes.inputBuffer(1 + rounds.nextInt(5)))
                    .async()
                    .toMat(Sink.<Integer, Integer>fold(0, (count, x) -> count + 1), Keep.both())
                    .run(runtime);
            List<Thread> threads = new ArrayList<>();
            for (int s = 0; s < senders; s++) {
                Random random = new Random(rounds.nextLong());
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        running.first().tell(i);
                        pause(random);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(await(running.second()))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(senders * each);
        }
    }

    @Test
    void slowAndFastSidesOfABoundaryNeverWaitForEachOther() throws Exception {
        long seed = System.nanoTime();
        long deadline = System.nanoTime() + STRESS_NANOS;
        for (int round = 0; System.nanoTime() - deadline < 0; round++) {
            Random random = new Random(seed + round);
            Random upstream = new Random(random.nextLong());
            Random downstream = new Random(random.nextLong());
            int count = 1 + random.nextInt(2000);
            CompletionStage<Integer> result = Source.range(0, count)
                    .map(x -> {
                        pause(upstream);
                        return x;
                    })
                    .async()
                    .map(x -> {
                        pause(downstream);
                        return x;
                    })
                    .toMat(Sink.<Integer, Integer>fold(0, (sum, x) -> sum + 1), Keep.right())
                    .withAttributes(Attributes.inputBuffer(1 + random.nextInt(20)))
                    .run(runtime);
            assertThat(await(result)).as("seed %d round %d", seed, round).isEqualTo(count);
        }
    }

    @Test
    void closedStageAnswersEveryLateOffer() throws Exception {
        for (int round = 0; round < 500; round++) {
            Pair<SourceQueue<Integer>, CompletionStage<Integer>> running = Source.<Integer>queue(4)
                    .toMat(Sink.<Integer>head(), Keep.both())
                    .run(runtime);
            SourceQueue<Integer> queue = running.first();
            Thread offering = new Thread(() -> {
                while (queue.offer(1) != SourceQueue.Offer.CLOSED) {
                    Thread.onSpinWait();
                }
            });
            offering.start();
            assertThat(await(running.second())).isEqualTo(1);
            offering.join();
        }
    }
}
