package io.millrace.streams.engine.island;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Behaviour("INT-6")
final class BoundaryTest extends EngineTest {
    @Test
    void orderIsKeptAcrossBoundariesOfEverySize() throws Exception {
        List<Integer> expected = IntStream.range(0, 5000).boxed().toList();
        for (int buffer : new int[] {1, 2, 3, 7, 16, 64}) {
            Source<Integer, ?> source = Source.range(0, 5000)
                    .async()
                    .map(x -> x)
                    .async()
                    .filter(x -> true)
                    .async();
            assertThat(await(source.toMat(Sink.<Integer>seq(), Keep.right())
                            .withAttributes(Attributes.inputBuffer(buffer))
                            .run(runtime)))
                    .isEqualTo(expected);
        }
    }

    @Test
    void boundaryAsksForNoMoreThanItsBufferHolds() {
        for (int buffer : new int[] {1, 2, 5}) {
            Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                    .async()
                    .toMat(TestSink.probe(), Keep.both())
                    .withAttributes(Attributes.inputBuffer(buffer))
                    .run(runtime);
            TestSource<Integer> source = probes.first();
            for (int i = 0; i < buffer; i++) {
                source.expectPull().send(i);
            }
            source.expectNothing(java.time.Duration.ofMillis(30));
            probes.second().request(buffer);
            for (int i = 0; i < buffer; i++) {
                probes.second().expectNext(i);
            }
            source.expectPull();
            probes.second().cancel();
        }
    }

    @Test
    void failureComesAfterTheElements() {
        Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                .async()
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        probes.first().expectPull().send(1).expectPull().send(2).expectPull();
        RuntimeException thrown = new IllegalStateException("mine");
        probes.first().fail(thrown);
        probes.second().request(5).expectNext(1, 2);
        assertThat(probes.second().expectError()).isSameAs(thrown);
    }

    @Test
    void cancellationGoesBackWithItsCause() {
        Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                .async()
                .map(x -> x)
                .async()
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        RuntimeException cause = new IllegalStateException("enough");
        probes.first().expectPull();
        probes.second().cancel(cause);
        Throwable seen = probes.first().awaitCancellation();
        assertThat(seen).isSameAs(cause);
    }
}
