package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.ConnectableSource;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.schedule.Disposable;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The examples of docs/operators/sharing.md. */
class SharingExamplesTest extends ExamplesTest {
    private final AtomicInteger reads = new AtomicInteger();

    private int read(int n) {
        reads.incrementAndGet();
        return n;
    }

    @Test
    void publish() throws Exception {
        // snippet: publish
        ConnectableSource<Integer> shared = Source.range(0, 3).map(this::read).publish(runtime);
        CompletionStage<List<Integer>> all = shared.source().runWith(Sink.seq(), runtime);
        CompletionStage<Integer> sum = shared.source().runWith(Sink.fold(0, Integer::sum), runtime);
        Disposable connection = shared.connect();
        // end
        assertThat(await(all)).containsExactly(0, 1, 2);
        assertThat(await(sum)).isEqualTo(3);
        assertThat(reads).hasValue(3);
        connection.dispose();
    }

    @Test
    void refCount() throws Exception {
        // snippet: refCount
        Source<Integer, NotUsed> whileWatched =
                Source.range(0, 3).map(this::read).publish(runtime).refCount();
        // end
        assertThat(all(whileWatched)).containsExactly(0, 1, 2);
        assertThat(all(whileWatched)).containsExactly(0, 1, 2);
    }

    @Test
    void replay() throws Exception {
        // snippet: replay
        ConnectableSource<Integer> shared = Source.range(0, 100).replay(2, runtime);
        Source<Integer, NotUsed> first = shared.autoConnect(1);
        Source<Integer, NotUsed> late = shared.source();
        // end
        assertThat(all(first)).hasSize(100);
        assertThat(all(late)).containsExactly(98, 99);
    }

    @Test
    void cache() throws Exception {
        // snippet: cache
        Source<Integer, NotUsed> cached = Source.range(0, 3).map(this::read).cache(runtime);
        // end
        assertThat(all(cached)).containsExactly(0, 1, 2);
        assertThat(all(cached)).containsExactly(0, 1, 2);
        assertThat(reads).hasValue(3);
    }
}
