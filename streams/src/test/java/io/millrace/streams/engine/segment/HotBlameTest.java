package io.millrace.streams.engine.segment;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Behaviour;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an iterator throws in its midst is blamed on the operator that made it, before its segment is specialised and after. */
class HotBlameTest {
    private static final int PER_RUN = 50_000;
    private static final int HOT_RUNS = 12;

    private final StreamRuntime runtime = StreamRuntime.create();
    private final AtomicBoolean isBroken = new AtomicBoolean();
    private final AtomicInteger filtered = new AtomicInteger();

    @AfterEach
    void close() {
        runtime.close();
    }

    /** Two elements, and then, when it is broken, an exception from hasNext. */
    private Iterator<Integer> pairOf(int n) {
        Iterator<Integer> both = List.of(n, -n).iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (!both.hasNext() && isBroken.get() && n == 3) {
                    throw new IllegalStateException("broken");
                }
                return both.hasNext();
            }

            @Override
            public Integer next() {
                return both.next();
            }
        };
    }

    private Source<Integer, ?> pairs(Attributes ofMapConcat) {
        return Source.range(0, PER_RUN)
                .via(Flow.<Integer>create()
                        .mapConcat(n -> (Iterable<Integer>) () -> pairOf(n))
                        .withAttributes(ofMapConcat));
    }

    /** Runs it until it is hot, then broken. */
    private CompletionStage<Long> hotThenBroken(RunnableGraph<CompletionStage<Long>> graph) throws Exception {
        for (int i = 0; i < HOT_RUNS; i++) {
            assertThat(await(graph.run(runtime))).isEqualTo(2 * PER_RUN);
        }
        filtered.set(0);
        isBroken.set(true);
        return graph.run(runtime);
    }

    @Test
    @Behaviour("INT-12")
    void aResumingMapConcatGoesOn() throws Exception {
        assertThat(await(hotThenBroken(pairs(Attributes.supervision(Supervision.resume()))
                        .map(n -> n + 1)
                        .toMat(Sink.count(), Keep.right()))))
                .isEqualTo(2 * PER_RUN);
    }

    @Test
    @Behaviour("INT-12")
    void aResumingFilterBehindDoesNotHideTheFailure() throws Exception {
        CompletionStage<Long> broken = hotThenBroken(pairs(Attributes.supervision(Supervision.stop()))
                .via(Flow.<Integer>create()
                        .filter(n -> filtered.incrementAndGet() >= 0)
                        .withAttributes(Attributes.supervision(Supervision.resume())))
                .toMat(Sink.count(), Keep.right()));
        assertThatThrownBy(() -> await(broken)).hasStackTraceContaining("broken");
        assertThat(filtered.get()).isEqualTo(8);
    }

    @Test
    @Behaviour("INT-12")
    void aRecoverBehindSeesTheFailure() throws Exception {
        assertThat(await(hotThenBroken(pairs(Attributes.supervision(Supervision.stop()))
                        .recover(failure -> 99)
                        .filter(n -> true)
                        .toMat(Sink.count(), Keep.right()))))
                .isEqualTo(9);
    }

    @Test
    @Behaviour("INT-12")
    void theFailureGoesOverABoundary() throws Exception {
        CompletionStage<Long> broken = hotThenBroken(pairs(Attributes.supervision(Supervision.stop()))
                .map(n -> n)
                .async()
                .toMat(Sink.count(), Keep.right()));
        assertThatThrownBy(() -> await(broken)).hasStackTraceContaining("broken");
    }
}
