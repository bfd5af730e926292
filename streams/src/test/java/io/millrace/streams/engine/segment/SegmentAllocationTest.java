package io.millrace.streams.engine.segment;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Streams run on the test's own thread, so that what they allocate can be counted. */
final class SegmentAllocationTest extends EngineTest {
    private static final int ELEMENTS = 200_000;
    private static final int MAX_BYTES_PER_ELEMENT = 8;

    private final List<Integer> input = IntStream.range(0, ELEMENTS).boxed().toList();

    @Override
    protected RuntimeSettings settings() {
        return super.settings().withExecutor(Runnable::run);
    }

    @Test
    void stepsThatAllocateNothingPassElementsForNothing() throws Exception {
        RunnableGraph<CompletionStage<Integer>> graph = Source.from(input)
                .map(x -> x)
                .filter(x -> x >= 0)
                .drop(1)
                .takeWhile(x -> x < ELEMENTS)
                .scan(input.get(0), (before, x) -> x)
                .take(ELEMENTS)
                .dropWhile(x -> x < 1)
                .limit(ELEMENTS)
                .toMat(Sink.fold(input.get(0), (before, x) -> x), Keep.right());
        for (int run = 0; run < 5; run++) {
            assertThat(bytesPerElement(graph)).as("run %d", run).isLessThanOrEqualTo(MAX_BYTES_PER_ELEMENT);
        }
    }

    private double bytesPerElement(RunnableGraph<CompletionStage<Integer>> graph) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        CompletionStage<Integer> last = graph.run(runtime);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(await(last)).isEqualTo(ELEMENTS - 1);
        return (double) allocated / ELEMENTS;
    }
}
