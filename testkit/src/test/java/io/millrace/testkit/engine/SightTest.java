package io.millrace.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.NotUsed;
import io.millrace.streams.Pair;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamSnapshot;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class SightTest extends EngineTest {
    private Pair<TestSource<Integer>, TestSink<Integer>> running() {
        return TestSource.<Integer>probe()
                .mapAsync(1, CompletableFuture::completedFuture)
                .async()
                .mapAsync(1, CompletableFuture::completedFuture)
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .named("say \"orders\"")
                .run(runtime);
    }

    @Test
    void runningGraphIsDrawnAsTextAndForGraphviz() {
        var probes = running();
        probes.first().send(1).send(2);
        probes.second().request(3).expectNext(1, 2);
        awaitUntil(() -> runtime.snapshot().toText().contains("[2] -> [3] 2 elements, waiting for element"));
        StreamSnapshot stream = runtime.snapshot().streams().get(0);
        assertThat(stream.toText())
                .startsWith("stream say \"orders\"#")
                .contains("island 1")
                .contains("[0] say \"orders\"/testSource")
                .contains("[1] -> [2] 2 elements, waiting for element")
                .doesNotContain("boundary");
        assertThat(stream.toDot())
                .startsWith("digraph millrace {")
                .contains("label=\"say \\\"orders\\\"/testSource\"")
                .containsPattern("s\\d+_1 -> s\\d+_2 \\[label=\"2\", color=blue, style=dashed")
                .endsWith("}\n");
        assertThat(stream.toDot().chars().filter(c -> c == '{').count())
                .isEqualTo(stream.toDot().chars().filter(c -> c == '}').count());
        probes.second().cancel();
    }

    @Test
    void failureSaysWhereItsOperatorWasAssembledWhenTracingIsOn() throws Exception {
        System.setProperty("millrace.trace.assembly", "true");
        Source<Integer, NotUsed> traced;
        try {
            traced = Source.range(0, 3).via(Flow.<Integer>create()).mapAsync(1, SightTest::fails);
        } finally {
            System.clearProperty("millrace.trace.assembly");
        }
        awaitFailure(traced.runWith(Sink.ignore(), runtime));
        assertThat(reported).hasSize(1);
        assertThat(reported.get(0))
                .hasMessageContaining("mapAsync (assembled at ")
                .hasMessageContaining(
                        "SightTest.failureSaysWhereItsOperatorWasAssembledWhenTracingIsOn(SightTest.java:");
        awaitFailure(Source.range(0, 3).mapAsync(1, SightTest::fails).runWith(Sink.ignore(), runtime));
        assertThat(reported.get(1).getMessage()).doesNotContain("assembled");
    }

    private static CompletionStage<Integer> fails(int value) {
        throw new IllegalStateException("mine");
    }
}
