package io.millrace.streams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** However a stream ends from below, nobody hears of it before the source in the same island has stopped. */
@Behaviour("BHUB-16")
final class EndOrderTest {
    private static final int ORDERS = 20;

    private interface Ending extends Function<Source<Integer, NotUsed>, RunnableGraph<? extends CompletionStage<?>>> {}

    @TestFactory
    Stream<DynamicTest> theSourceHasStoppedBeforeTheEndIsTold() {
        Map<String, Ending> endings = new LinkedHashMap<>();
        endings.put("head", source -> source.toMat(Sink.head(), Keep.right()));
        endings.put("headOption", source -> source.toMat(Sink.headOption(), Keep.right()));
        endings.put("take", source -> source.take(3).toMat(Sink.seq(), Keep.right()));
        endings.put("take nothing", source -> source.take(0).toMat(Sink.seq(), Keep.right()));
        endings.put("takeWhile", source -> source.takeWhile(x -> x < 3).toMat(Sink.count(), Keep.right()));
        endings.put("limit", source -> source.limit(3).toMat(Sink.ignore(), Keep.right()));
        endings.put("a step fails", source -> failing(source).toMat(Sink.ignore(), Keep.right()));
        endings.put("the sink fails", source -> source.toMat(Sink.foreach(x -> quotient(x)), Keep.right()));
        endings.put("a stage above", source -> stages(source, 1).take(3).toMat(Sink.seq(), Keep.right()));
        endings.put("many stages above", source -> stages(source, 50).take(3).toMat(Sink.seq(), Keep.right()));
        endings.put("a stage below", source -> stages(source.take(3), 1).toMat(Sink.seq(), Keep.right()));
        endings.put("a boundary below", source -> source.take(3).async().toMat(Sink.seq(), Keep.right()));
        endings.put(
                "a boundary below a failure", source -> failing(source).async().toMat(Sink.seq(), Keep.right()));
        endings.put(
                "zip with a shorter source",
                source -> source.zip(Source.range(0, 3)).toMat(Sink.seq(), Keep.right()));
        endings.put("watchTermination", source -> watched(source).take(3).toMat(Sink.ignore(), Keep.left()));
        endings.put(
                "watchTermination of a failure",
                source -> failing(watched(source)).toMat(Sink.ignore(), Keep.left()));
        return endings.entrySet().stream()
                .map(one -> DynamicTest.dynamicTest(one.getKey(), () -> check(one.getValue())));
    }

    private static <M> Source<Integer, M> failing(Source<Integer, M> source) {
        return source.map(EndOrderTest::quotient);
    }

    private static int quotient(int x) {
        return 1 / (3 - x);
    }

    /** So many stages that are not fused with their neighbours. */
    private static Source<Integer, NotUsed> stages(Source<Integer, NotUsed> source, int count) {
        Source<Integer, NotUsed> longer = source;
        for (int i = 0; i < count; i++) {
            longer = longer.via(Flow.<Integer>create().watchTermination(Keep.left()));
        }
        return longer;
    }

    private static Source<Integer, CompletionStage<?>> watched(Source<Integer, NotUsed> source) {
        return source.watchTermination((none, end) -> end);
    }

    private static void check(Ending ending) {
        RuntimeSettings settings =
                RuntimeSettings.defaults().withExecutor(Runnable::run).withFailureReporter(failure -> {});
        checkWith(ending, settings, "in the usual order of events");
        for (int seed = 0; seed < ORDERS; seed++) {
            checkWith(ending, settings.withShuffleSeed(seed), "in the order of seed " + seed);
        }
    }

    /** The end is awaited: where a turn took long, what is below a boundary has been woken on another thread, and may still run when the first returns. */
    private static void checkWith(Ending ending, RuntimeSettings settings, String order) {
        boolean[] hasStopped = new boolean[1];
        try (StreamRuntime runtime = StreamRuntime.create(settings)) {
            CompletableFuture<Boolean> hadStopped = ending.apply(counting(hasStopped))
                    .mapMaterializedValue(end -> end.<Boolean>handle((value, failure) -> hasStopped[0]))
                    .run(runtime)
                    .toCompletableFuture();
            assertThat(hadStopped)
                    .as(order)
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isEqualTo(true);
        }
    }

    /** A source without end that notes that it has stopped. */
    private static Source<Integer, NotUsed> counting(boolean[] hasStopped) {
        return Source.fromGraph(
                TestStages.source(shape -> new LogicAndValue<>(new Counting(shape, hasStopped), NotUsed.NOT_USED)));
    }

    private static final class Counting extends GraphStageLogic implements OutHandler {
        private final SourceShape<Integer> shape;
        private final boolean[] hasStopped;
        private int next;

        Counting(SourceShape<Integer> shape, boolean[] hasStopped) {
            super(shape);
            this.shape = shape;
            this.hasStopped = hasStopped;
            setHandler(shape.out(), this);
        }

        @Override
        public void onPull() {
            push(shape.out(), next++);
        }

        @Override
        public void postStop() {
            hasStopped[0] = true;
        }
    }
}
