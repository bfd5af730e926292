package io.millrace.streams;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consumers come one after the other, each as soon as the one before has ended: together they see every element once. */
class ConsumersInTurnTest {
    private static final int TURNS = Boolean.getBoolean("millrace.deep") ? 100_000 : 3_000;
    private static final int PART = 10;

    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withName("in-turn").withFailureReporter(failure -> {}));

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private static List<Integer> part(int index) {
        return IntStream.range(index * PART, (index + 1) * PART).boxed().toList();
    }

    private BroadcastHub<Integer> numbers(int count, int bufferSize) {
        return Source.range(0, count).runWith(BroadcastHub.sink(bufferSize), runtime);
    }

    @Test
    @Behaviour({"BHUB-6", "BHUB-16"})
    void aConsumerOfABroadcastHubBeginsWhereTheOneBeforeEnded() throws Exception {
        BroadcastHub<Integer> hub = numbers(TURNS * PART + 1, 16);
        for (int i = 0; i < TURNS; i++) {
            assertThat(await(hub.source().take(PART).runWith(Sink.seq(), runtime)))
                    .isEqualTo(part(i));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void soItIsBehindABoundary() throws Exception {
        BroadcastHub<Integer> hub = numbers(TURNS * PART + 1, 16);
        for (int i = 0; i < TURNS; i++) {
            assertThat(await(hub.source().take(PART).async().runWith(Sink.seq(), runtime)))
                    .isEqualTo(part(i));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void soItIsWhenTheOneBeforeFails() throws Exception {
        BroadcastHub<Integer> hub = numbers(TURNS * PART + 1, 16);
        for (int i = 0; i < TURNS; i++) {
            AtomicInteger last = new AtomicInteger();
            List<Integer> seen = new ArrayList<>();
            CompletionStage<Done> end = hub.source()
                    .runWith(
                            Sink.foreach(element -> {
                                seen.add(element);
                                if (seen.size() == PART) {
                                    throw new IllegalStateException("after " + last.getAndSet(element));
                                }
                            }),
                            runtime);
            await(end.handle((done, failure) -> failure));
            assertThat(seen).isEqualTo(part(i));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void soItIsWhenTheHubHasEnded() throws Exception {
        for (int i = 0; i < TURNS / 4; i++) {
            BroadcastHub<Integer> hub = numbers(3 * PART, 32);
            for (int turn = 0; turn < 3; turn++) {
                assertThat(await(hub.source().take(PART).runWith(Sink.seq(), runtime)))
                        .isEqualTo(part(turn));
            }
            assertThat(await(hub.source().runWith(Sink.seq(), runtime))).isEmpty();
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void soItIsWithASharedSource() throws Exception {
        ConnectableSource<Integer> shared = Source.range(0, TURNS * PART + 1).publish(runtime);
        for (int i = 0; i < TURNS; i++) {
            CompletionStage<List<Integer>> seen = shared.source().take(PART).runWith(Sink.seq(), runtime);
            if (i == 0) {
                shared.connect();
            }
            assertThat(await(seen)).isEqualTo(part(i));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void whoComesAfterTheLastOfACountedSourceBeginsItAnew() throws Exception {
        Source<Integer, NotUsed> shared =
                Source.range(0, 1_000).publish(runtime).refCount();
        for (int i = 0; i < TURNS; i++) {
            assertThat(await(shared.take(PART).runWith(Sink.seq(), runtime))).isEqualTo(part(0));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void aConsumerOfAPartitionHubGetsWhatTheOneBeforeHasNotTaken() throws Exception {
        for (int i = 0; i < TURNS; i++) {
            PartitionHub<Integer> hub =
                    Source.range(0, 3 * PART).runWith(PartitionHub.sink(() -> (consumers, element) -> 0), runtime);
            assertThat(await(hub.source().take(PART).runWith(Sink.seq(), runtime)))
                    .isEqualTo(part(0));
            assertThat(await(hub.source().take(PART).runWith(Sink.seq(), runtime)))
                    .isEqualTo(part(1));
            assertThat(await(hub.source().runWith(Sink.seq(), runtime))).isEqualTo(part(2));
        }
    }

    @Test
    @Behaviour("BHUB-16")
    void producersOfAMergeHubInTurnLoseNothing() throws Exception {
        Pair<MergeHub<Integer>, CompletionStage<List<Integer>>> running = MergeHub.<Integer>source(PART)
                .toMat(Sink.seq(), Keep.<MergeHub<Integer>, CompletionStage<List<Integer>>>both())
                .run(runtime);
        MergeHub<Integer> hub = running.first();
        for (int i = 0; i < TURNS; i++) {
            CompletionStage<Done> ended = Source.from(part(i))
                    .<CompletionStage<Done>>watchTermination((none, end) -> end)
                    .to(hub.sink())
                    .run(runtime);
            await(ended);
        }
        hub.drain();
        assertThat(await(running.second()).stream().sorted().toList())
                .isEqualTo(IntStream.range(0, TURNS * PART).boxed().toList());
    }
}
