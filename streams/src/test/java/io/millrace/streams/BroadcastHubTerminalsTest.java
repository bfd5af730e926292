package io.millrace.streams;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.testkit.Behaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Consumers that end in the library's own sinks, which take whole runs of the hub's ring. */
class BroadcastHubTerminalsTest {
    private static final int ELEMENTS = 10_000;
    private static final List<Integer> ALL =
            IntStream.range(0, ELEMENTS).boxed().collect(Collectors.toList());

    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withName("hub-terminals-test").withFailureReporter(failure -> {}));

    @AfterEach
    void closeRuntime() {
        runtime.close();
    }

    private BroadcastHub<Integer> hubFor(int consumers) {
        return Source.from(ALL)
                .runWith(
                        BroadcastHub.sink(BroadcastHubSettings.defaults()
                                .withBufferSize(16)
                                .withStartAfterConsumers(consumers)),
                        runtime);
    }

    @Test
    @Behaviour("BHUB-4")
    void everySinkGetsEveryElementInOrder() throws Exception {
        BroadcastHub<Integer> hub = hubFor(7);
        List<Integer> each = new ArrayList<>();
        CompletionStage<Done> foreach = hub.source().runWith(Sink.foreach(each::add), runtime);
        CompletionStage<Integer> folded =
                hub.source().runWith(Sink.fold(0, (sum, element) -> 31 * sum + element), runtime);
        CompletionStage<List<Integer>> collected = hub.source().runWith(Sink.collect(Collectors.toList()), runtime);
        CompletionStage<Done> ignored = hub.source().runWith(Sink.ignore(), runtime);
        CompletionStage<Integer> last = hub.source().runWith(Sink.last(), runtime);
        CompletionStage<Integer> first = hub.source().runWith(Sink.head(), runtime);
        CompletionStage<List<Integer>> mapped =
                hub.source().map(element -> element + 1).runWith(Sink.seq(), runtime);
        await(foreach);
        assertThat(each).isEqualTo(ALL);
        int expected = 0;
        for (int element : ALL) {
            expected = 31 * expected + element;
        }
        assertThat(await(folded)).isEqualTo(expected);
        assertThat(await(collected)).isEqualTo(ALL);
        assertThat(await(ignored)).isEqualTo(Done.DONE);
        assertThat(await(last)).isEqualTo(ELEMENTS - 1);
        assertThat(await(first)).isZero();
        assertThat(await(mapped))
                .isEqualTo(IntStream.rangeClosed(1, ELEMENTS).boxed().collect(Collectors.toList()));
    }

    @Test
    @Behaviour("BHUB-4")
    void aSinkThatResumesLosesOnlyTheElementsThatFailed() throws Exception {
        BroadcastHub<Integer> hub = hubFor(2);
        List<Integer> kept = new ArrayList<>();
        Sink<Integer, CompletionStage<Done>> sink = Sink.<Integer>foreach(element -> {
                    if (element % 10 == 3) {
                        throw new IllegalStateException("no threes");
                    }
                    kept.add(element);
                })
                .withAttributes(Attributes.supervision(Supervision.resume()));
        CompletionStage<Done> resumed = hub.source().runWith(sink, runtime);
        CompletionStage<List<Integer>> other = hub.source().runWith(Sink.seq(), runtime);
        await(resumed);
        assertThat(kept)
                .isEqualTo(ALL.stream().filter(element -> element % 10 != 3).collect(Collectors.toList()));
        assertThat(await(other)).isEqualTo(ALL);
    }

    @Test
    @Behaviour("BHUB-8")
    void aSinkThatFailsInTheMiddleOfARunLeavesTheOthersAlone() throws Exception {
        BroadcastHub<Integer> hub = hubFor(2);
        List<Integer> seen = new ArrayList<>();
        CompletionStage<Done> failing = hub.source()
                .runWith(
                        Sink.foreach(element -> {
                            seen.add(element);
                            if (element == 5) {
                                throw new IllegalStateException("boom");
                            }
                        }),
                        runtime);
        CompletionStage<List<Integer>> other = hub.source().runWith(Sink.seq(), runtime);
        assertThat(awaitFailure(failing)).hasMessage("boom");
        assertThat(await(other)).isEqualTo(ALL);
        assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5);
    }
}
