package io.millrace.docs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StallDetector;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.StallReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;

/** The code of docs/guides/streams.md about what stands at the edges of a stream. */
class EdgesGuideTest {
    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aStreamIsAPublisherAndAPublisherIsASource() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: interop
            Publisher<Integer> squares = Source.range(1, 4).map(n -> n * n).toPublisher(runtime); // for any peer

            CompletionStage<List<Integer>> back =
                    Source.<Integer>fromPublisher(squares).runWith(Sink.seq(), runtime);
            // end
            assertThat(await(back)).containsExactly(1, 4, 9);
        }
    }

    @Test
    void aGraphBuilderConnectsPorts() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: graph
            Graph<FlowShape<Integer, String>, NotUsed> evenAndOdd = GraphBuilder.create(builder -> {
                FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>partition(2, n -> n % 2));
                FanInShape<String, String> join = builder.add(Junctions.<String>merge(2));
                builder.connect(
                        builder.connect(split.out(0), Flow.<Integer, String>of(n -> n + " is even")), join.in(0));
                builder.connect(
                        builder.connect(split.out(1), Flow.<Integer, String>of(n -> n + " is odd")), join.in(1));
                return FlowShape.of(split.in(), join.out());
            });
            CompletionStage<List<String>> said =
                    Source.range(0, 3).via(evenAndOdd).runWith(Sink.seq(), runtime);
            // end
            assertThat(await(said)).containsExactlyInAnyOrder("0 is even", "1 is odd", "2 is even");
        }
    }

    @Test
    void aLineHasTheValueOfWhatStandsBesideIt() throws Exception {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: value-of-part
            Pair<CompletionStage<Long>, CompletionStage<List<String>>> values = Source.of("a", "b")
                    .viaMat(Sink.<String>count(), Flow::alsoTo, Keep.right()) // alsoToMat of Pekko
                    .toMat(Sink.<String>seq(), Keep.both())
                    .run(runtime);
            // end
            assertThat(await(values.first())).isEqualTo(2);
            assertThat(await(values.second())).containsExactly("a", "b");
        }
    }

    @Test
    void aFileIsReadAndWritten(@TempDir Path folder) throws Exception {
        Path from = Files.writeString(folder.resolve("from"), "hello");
        Path to = folder.resolve("to");
        try (StreamRuntime runtime = StreamRuntime.create()) {
            // snippet: path
            CompletionStage<Long> copiedBytes = Source.fromPath(from).runWith(Sink.toPath(to), runtime);
            // end
            assertThat(await(copiedBytes)).isEqualTo(5);
        }
        assertThat(Files.readString(to)).isEqualTo("hello");
    }

    @Test
    void aStallDetectorNamesWhoHoldsTheOthersUp() throws Exception {
        BlockingQueue<StallReport> reports = new LinkedBlockingQueue<>();
        try (StreamRuntime runtime = StreamRuntime.create()) {
            Source.never().to(Sink.ignore()).named("orders").run(runtime);
            // snippet: stall
            StallDetector detector = StallDetector.start(runtime, Duration.ofMillis(100), reports::add);
            // end
            StallReport report = reports.poll(10, TimeUnit.SECONDS);
            while (report != null && !report.culprits().toString().contains("orders/never")) {
                report = reports.poll(10, TimeUnit.SECONDS); // before the stream has had its first turn
            }
            assertThat(report)
                    .hasToString(
                            "stream orders#1 has stood still for PT0.1S; it waits for: [0] orders/never (SENDS_NOTHING)");
            detector.close();
        }
    }
}
