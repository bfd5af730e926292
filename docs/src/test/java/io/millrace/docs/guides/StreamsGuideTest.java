package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.SharedKillSwitch;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The code of docs/guides/streams.md and of the README's library example. */
class StreamsGuideTest {
    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aBlueprintRunsAsOftenAsYouLike() throws Exception {
        // snippet: blueprint
        RunnableGraph<CompletionStage<Long>> countErrors = Source.of("ok", "ERROR 1", "ok", "ERROR 2")
                .filter(line -> line.startsWith("ERROR"))
                .toMat(Sink.fold(0L, (count, line) -> count + 1), Keep.right());

        try (StreamRuntime runtime = StreamRuntime.create()) {
            CompletionStage<Long> first = countErrors.run(runtime);
            CompletionStage<Long> second = countErrors.run(runtime);
            assertThat(await(first)).isEqualTo(2);
            assertThat(await(second)).isEqualTo(2);
        }
        // end
    }

    private static CompletionStage<String> ship(String order) {
        return CompletableFuture.supplyAsync(() -> order + " shipped");
    }

    @Test
    void aRuntimeIsClosedOnceItsStreamsHaveEnded() throws Exception {
        StreamRuntime runtime = StreamRuntime.create();
        Source<String, ?> orders = Source.of("pen").concat(Source.never());
        // snippet: shutting-down
        SharedKillSwitch stopping = KillSwitches.shared("stopping");
        CompletionStage<List<String>> shipped = orders.via(stopping.flow()) // right behind the source
                .mapAsync(4, order -> ship(order))
                .runWith(Sink.seq(), runtime);

        stopping.shutdown(); // no more orders come in; those under way go on
        runtime.close(Duration.ofSeconds(30)); // when all streams have ended, or then
        // end
        assertThat(shipped)
                .isCompletedWithValueMatching(
                        all -> Set.of(List.of(), List.of("pen shipped")).contains(all));
        assertThat(runtime.isClosed()).isTrue();
    }

    @Test
    void aSourceMeetsASinkInARuntime() throws Exception {
        // snippet: readme
        try (StreamRuntime runtime = StreamRuntime.create()) {
            CompletionStage<Integer> sum = Source.range(1, 101)
                    .filter(n -> n % 2 == 0)
                    .map(n -> n * n)
                    .runWith(Sink.fold(0, Integer::sum), runtime);
            assertThat(await(sum)).isEqualTo(171_700);
        }
        // end
    }

    @Test
    void anAsynchronousBoundaryMakesTwoIslands() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: boundary
            CompletionStage<List<Integer>> squares = Source.range(0, 5)
                    .map(n -> n * n)
                    .async() // what stands above runs in one island, what stands below in another
                    .map(n -> n + 1)
                    .runWith(Sink.seq(), runtime);
            // end
            assertThat(await(squares)).containsExactly(1, 2, 5, 10, 17);
        }
    }

    @Test
    void callsThatTakeTimeOverlapAndKeepTheirOrder() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: map-async
            CompletionStage<List<String>> pages = Source.of("a", "b", "c")
                    .mapAsync(2, name -> CompletableFuture.supplyAsync(() -> "page " + name))
                    .runWith(Sink.seq(), runtime);
            // end
            assertThat(await(pages)).containsExactly("page a", "page b", "page c");
        }
    }

    @Test
    void anElementWhoseFunctionThrowsIsDroppedWhereTheAttributesSaySo() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: function-variable
            Function<Integer, Integer> square = n -> n * n;
            CompletionStage<List<Integer>> squared =
                    Source.of(1, 2, 3).map(square::apply).runWith(Sink.seq(), runtime);
            // end
            assertThat(await(squared)).containsExactly(1, 4, 9);
            // snippet: supervision
            CompletionStage<List<Integer>> numbers = Source.of("1", "2", "three", "4")
                    .map(Integer::parseInt)
                    .withAttributes(Attributes.supervision(Supervision.resume())) // drops what is no number
                    .runWith(Sink.seq(), runtime);
            // end
            assertThat(await(numbers)).containsExactly(1, 2, 4);
        }
    }

    // snippet: stage
    /** Lets an element pass when it differs from the one before. */
    static final class Changes<T> extends GraphStage<FlowShape<T, T>> {
        private final Inlet<T> in = Inlet.create("Changes.in");
        private final Outlet<T> out = Outlet.create("Changes.out");
        private final FlowShape<T, T> shape = FlowShape.of(in, out);

        @Override
        public FlowShape<T, T> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new ChangesLogic();
        }

        private final class ChangesLogic extends GraphStageLogic implements InHandler, OutHandler {
            private T last;

            ChangesLogic() {
                super(shape);
                setHandler(in, this);
                setHandler(out, this);
            }

            @Override
            public void onPush() {
                T element = grab(in);
                if (element.equals(last)) {
                    pull(in);
                } else {
                    last = element;
                    push(out, element);
                }
            }

            @Override
            public void onPull() {
                pull(in);
            }
        }
    }
    // end

    @Test
    void aStageIsTwoCallbacksOnOneThreadAtATime() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: use-stage
            CompletionStage<List<Integer>> changes =
                    Source.of(1, 1, 2, 2, 2, 1).via(new Changes<>()).runWith(Sink.seq(), runtime);
            // end
            assertThat(await(changes)).containsExactly(1, 2, 1);
        }
    }

    // snippet: actor
    /** Prints what arrives on the stream and what anyone tells it, one at a time. */
    static final class Desk extends GraphStageWithMaterializedValue<SinkShape<String>, StageActorRef<String>> {
        private final Inlet<String> in = Inlet.create("Desk.in");
        private final SinkShape<String> shape = SinkShape.of(in);
        private final Set<String> seen;

        Desk(Set<String> seen) {
            this.seen = seen;
        }

        @Override
        public SinkShape<String> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<String>> createLogicAndValue(Attributes inherited) {
            DeskLogic logic = new DeskLogic();
            return new LogicAndValue<>(logic, logic.actor);
        }

        private final class DeskLogic extends GraphStageLogic implements InHandler {
            private final StageActorRef<String> actor = stageActor(this::onMessage);

            DeskLogic() {
                super(shape);
                setHandler(in, this);
            }

            @Override
            public void preStart() {
                pull(in);
            }

            @Override
            public void onPush() {
                seen.add("stream: " + grab(in));
                pull(in);
            }

            private void onMessage(String message) {
                seen.add("told: " + message);
                if (message.equals("close")) {
                    completeStage();
                }
            }
        }
    }
    // end

    @Test
    void anyThreadMayTalkToARunningStage() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: use-actor
            StageActorRef<String> desk =
                    Source.<String>never().toMat(new Desk(seen), Keep.right()).run(runtime);
            desk.tell("hello");
            desk.tell("close");
            CompletionStage<Done> closed = desk.whenTerminated();
            // end
            await(closed);
        }
        assertThat(seen).containsExactlyInAnyOrder("told: hello", "told: close");
    }
}
