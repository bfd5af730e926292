package io.millrace.streams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
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
        assertThat(reportOfAFailure("true"))
                .contains("stage map (assembled at ")
                .contains("SightTest$FailingStream.main(SightTest.java:");
        assertThat(reportOfAFailure("false")).contains("stage map").doesNotContain("assembled");
    }

    /** Tracing is decided once for each JVM. */
    private static String reportOfAFailure(String tracing) throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Dmillrace.trace.assembly=" + tracing,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FailingStream.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** Runs a stream that fails and prints what is reported. */
    static final class FailingStream {
        private FailingStream() {}

        public static void main(String[] args) {
            RuntimeSettings settings =
                    RuntimeSettings.defaults().withFailureReporter(failure -> System.out.println(failure.getMessage()));
            try (StreamRuntime runtime = StreamRuntime.create(settings)) {
                Source.range(0, 3)
                        .map(x -> x / (x - 1))
                        .runWith(Sink.ignore(), runtime)
                        .toCompletableFuture()
                        .exceptionally(failure -> Done.DONE)
                        .join();
            }
        }
    }
}
