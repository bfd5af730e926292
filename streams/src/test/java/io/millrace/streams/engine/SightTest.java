package io.millrace.streams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.user.FailingStream;
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
        Await.until("the text shows both waits", () -> {
            String text = runtime.snapshot().toText();
            return text.contains("[1] -> [2] 2 elements, waiting for element")
                    && text.contains("[2] -> [3] 2 elements, waiting for element");
        });
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
                .contains("FailingStream.main(FailingStream.java:");
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
}
