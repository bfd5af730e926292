package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;

/** The code of the page about other libraries and about flows put together of ends. */
class InteropExamplesTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void fromSinkAndSource() throws Exception {
        // snippet: fromSinkAndSource
        Flow<String, Integer, NotUsed> ends = Flow.fromSinkAndSource(Sink.ignore(), Source.range(0, 3));
        CompletionStage<List<Integer>> numbers =
                Source.single("dropped").via(ends).runWith(Sink.seq(), runtime); // 0, 1, 2
        // end
        assertThat(await(numbers)).containsExactly(0, 1, 2);
    }

    @Test
    void fromSinkAndSourceMat() throws Exception {
        // snippet: fromSinkAndSourceMat
        Flow<String, Integer, CompletionStage<List<String>>> ends =
                Flow.fromSinkAndSourceMat(Sink.<String>seq(), Source.range(0, 3), Keep.left());
        CompletionStage<List<String>> received =
                Source.of("a", "b").viaMat(ends, Keep.right()).to(Sink.ignore()).run(runtime); // a, b
        // end
        assertThat(await(received)).containsExactly("a", "b");
    }

    @Test
    void fromSinkAndSourceCoupled() throws Exception {
        // snippet: fromSinkAndSourceCoupled
        Flow<String, Integer, NotUsed> connection = Flow.fromSinkAndSourceCoupled(Sink.ignore(), Source.never());
        CompletionStage<List<Integer>> sent = Source.single("the last request")
                .via(connection)
                .runWith(Sink.seq(), runtime); // ends as the requests do
        // end
        assertThat(await(sent)).isEmpty();
    }

    @Test
    void fromSinkAndSourceCoupledMat() throws Exception {
        // snippet: fromSinkAndSourceCoupledMat
        Flow<String, Integer, CompletionStage<List<String>>> connection =
                Flow.fromSinkAndSourceCoupledMat(Sink.<String>seq(), Source.never(), Keep.left());
        CompletionStage<List<String>> received = Source.of("a", "b")
                .viaMat(connection, Keep.right())
                .to(Sink.ignore())
                .run(runtime); // a, b
        // end
        assertThat(await(received)).containsExactly("a", "b");
    }

    @Test
    void processors() throws Exception {
        // snippet: processors
        Processor<Integer, Integer> running =
                Flow.<Integer>create().map(n -> n + 1).toProcessor().run(runtime); // may be handed to any peer
        CompletionStage<List<Integer>> numbers = Source.of(1, 2)
                .via(Flow.fromProcessor(() -> running)) // and this may be any peer's
                .runWith(Sink.seq(), runtime); // 2, 3
        // end
        assertThat(await(numbers)).containsExactly(2, 3);
    }

    @Test
    void flowProcessors() throws Exception {
        // snippet: flow-processors
        java.util.concurrent.Flow.Processor<Integer, Integer> running =
                Flow.<Integer>create().map(n -> n + 1).toFlowProcessor().run(runtime);
        CompletionStage<List<Integer>> numbers =
                Source.of(1, 2).via(Flow.fromFlowProcessor(() -> running)).runWith(Sink.seq(), runtime); // 2, 3
        // end
        assertThat(await(numbers)).containsExactly(2, 3);
    }

    @Test
    void publishers() throws Exception {
        // snippet: publishers
        Publisher<Integer> numbers = Source.range(0, 3).toPublisher(runtime);
        java.util.concurrent.Flow.Publisher<Integer> same = Source.range(0, 3).toFlowPublisher(runtime);

        CompletionStage<Done> end = Source.fromPublisher(numbers)
                .merge(Source.fromFlowPublisher(same))
                .runWith(Sink.ignore(), runtime);
        // end
        assertThat(await(end)).isEqualTo(Done.DONE);
    }

    @Test
    void runToIterable() {
        int sum = 0;
        // snippet: runToIterable
        Iterable<Integer> numbers = Source.range(0, 3).runToIterable(runtime);
        for (int number : numbers) { // each iterator is a run of its own
            sum += number;
        }
        // end
        assertThat(sum).isEqualTo(3);
    }

    @Test
    void runToStream() {
        List<Integer> list;
        // snippet: runToStream
        try (Stream<Integer> numbers = Source.repeat(7).runToStream(runtime)) {
            list = numbers.limit(3).toList(); // 7, 7, 7
        } // closing cancels
        // end
        assertThat(list).containsExactly(7, 7, 7);
    }
}
