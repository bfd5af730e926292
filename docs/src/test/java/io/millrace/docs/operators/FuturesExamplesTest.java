package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.StageActorRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The examples of docs/operators/futures.md. */
final class FuturesExamplesTest extends ExamplesTest {
    private static CompletionStage<String> fetch(String name) {
        return CompletableFuture.supplyAsync(() -> "page " + name);
    }

    private static CompletionStage<Integer> price(String ware) {
        return CompletableFuture.supplyAsync(ware::length);
    }

    @Test
    void mapAsyncKeepsTheOrder() throws Exception {
        // snippet: mapAsync
        List<String> pages = all(Source.of("a", "b", "c").mapAsync(2, name -> fetch(name)));
        assertThat(pages).containsExactly("page a", "page b", "page c");
        // end
    }

    @Test
    void mapAsyncUnorderedTakesTheFirstThatIsThere() throws Exception {
        // snippet: mapAsyncUnordered
        List<String> pages = all(Source.of("a", "b", "c").mapAsyncUnordered(3, name -> fetch(name)));
        assertThat(pages).containsExactlyInAnyOrder("page a", "page b", "page c");
        // end
    }

    @Test
    void mapAsyncPartitionedCallsOnePerKey() throws Exception {
        // snippet: mapAsyncPartitioned
        List<String> pages = all(Source.of("a/1", "b/1", "a/2")
                .mapAsyncPartitioned(8, path -> path.charAt(0), path -> fetch(path))); // a/2 after a/1
        assertThat(pages).containsExactly("page a/1", "page b/1", "page a/2");
        // end
    }

    @Test
    void statefulMapAsyncPassesTheStateOn() throws Exception {
        // snippet: statefulMapAsync
        List<String> bill = all(Source.of("pen", "paper")
                .statefulMapAsync(
                        () -> 0,
                        (sum, ware) -> price(ware).thenApply(price -> new Pair<>(sum + price, ware + " " + price)),
                        sum -> Optional.of("sum " + sum)));
        assertThat(bill).containsExactly("pen 3", "paper 5", "sum 8");
        // end
    }

    @Test
    void scanAsyncEmitsEachResult() throws Exception {
        // snippet: scanAsync
        List<Integer> sums = all(Source.of("pen", "paper")
                .scanAsync(0, (sum, ware) -> price(ware).thenApply(p -> sum + p)));
        assertThat(sums).containsExactly(0, 3, 8);
        // end
    }

    @Test
    void foldAsyncEmitsTheLastResult() throws Exception {
        // snippet: foldAsync
        List<Integer> sum = all(Source.of("pen", "paper")
                .foldAsync(0, (last, ware) -> price(ware).thenApply(p -> last + p)));
        assertThat(sum).containsExactly(8);
        // end
    }

    @Test
    void askWaitsForTheReplyOfAStage() throws Exception {
        StageActorRef<Question> counter =
                Source.<String>never().toMat(new Counter(), Keep.right()).run(runtime);
        // snippet: ask
        // record Question(String text, ReplyTo<Integer> reply): what the stage is told, and answers by reply.tell(...)
        List<Integer> lengths = all(Source.of("to", "be", "or not")
                .<Question, Integer>ask(4, counter, Question::new, Duration.ofSeconds(30)));
        assertThat(lengths).containsExactly(2, 2, 6);
        // end
    }

    private record Question(String text, StageActorRef.ReplyTo<Integer> reply) {}

    private static final class Counter
            extends GraphStageWithMaterializedValue<SinkShape<String>, StageActorRef<Question>> {
        private final Inlet<String> in = Inlet.create("counter.in");
        private final SinkShape<String> shape = SinkShape.of(in);

        @Override
        public SinkShape<String> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<StageActorRef<Question>> createLogicAndValue(Attributes inherited) {
            CounterLogic logic = new CounterLogic();
            return new LogicAndValue<>(logic, logic.self);
        }

        private final class CounterLogic extends GraphStageLogic implements InHandler {
            private final StageActorRef<Question> self =
                    stageActor(question -> question.reply().tell(question.text().length()));

            CounterLogic() {
                super(shape);
                setHandler(in, this);
            }

            @Override
            public void onPush() {
                grab(in);
            }
        }
    }
}
