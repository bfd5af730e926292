package io.millrace.streams.operator.sinks;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Pulls whose futures were given up before an element came, on the test's own thread. */
class SinkQueueTest extends VirtualTimeTest {
    private final Pair<TestSource<Integer>, SinkQueue<Integer>> ends = TestSource.<Integer>probe()
            .toMat(Sink.<Integer>queue(), Keep.both())
            .run(runtime);
    private final TestSource<Integer> source = ends.first();
    private final SinkQueue<Integer> queue = ends.second();

    private CompletableFuture<Optional<Integer>> pull() {
        return queue.pull().toCompletableFuture();
    }

    @Test
    @Operator("queue")
    void anElementGoesToTheFirstPullThatStillWaits() throws Exception {
        CompletableFuture<Optional<Integer>> first = pull();
        CompletableFuture<Optional<Integer>> second = pull();
        CompletableFuture<Optional<Integer>> third = pull();
        first.cancel(false);
        second.complete(Optional.empty());
        source.send(1);
        assertThat(await(third)).contains(1);
        source.send(2);
        assertThat(await(pull())).contains(2);
    }

    @Test
    @Operator("queue")
    void anElementThatNobodyWaitsForAnyMoreIsKeptForTheNextPull() throws Exception {
        pull().cancel(false);
        source.send(1);
        source.send(2);
        source.complete();
        assertThat(await(pull())).contains(1);
        CompletableFuture<Optional<Integer>> second = pull();
        CompletableFuture<Optional<Integer>> third = pull();
        assertThat(await(second)).contains(2);
        assertThat(await(third)).isEmpty();
        assertThat(await(pull())).isEmpty();
    }

    @Test
    @Operator("queue")
    void theEndComesBehindAnElementThatIsKept() throws Exception {
        pull().cancel(false);
        source.send(1);
        source.complete();
        assertThat(runtime.snapshot().streams()).hasSize(1);
        assertThat(await(pull())).contains(1);
        assertThat(runtime.snapshot().streams()).isEmpty();
        assertThat(await(pull())).isEmpty();
    }

    @Test
    @Operator("queue")
    void aFailureOvertakesWhatIsKeptAndSoDoesTheCancellation() throws Exception {
        pull().cancel(false);
        source.send(1);
        RuntimeException mine = new IllegalStateException("mine");
        source.fail(mine);
        assertThat(awaitFailure(pull())).isSameAs(mine);
        Pair<TestSource<Integer>, SinkQueue<Integer>> others = TestSource.<Integer>probe()
                .toMat(Sink.<Integer>queue(), Keep.both())
                .run(runtime);
        others.second().pull().toCompletableFuture().cancel(false);
        others.first().send(1);
        others.second().cancel();
        assertThat(await(others.second().pull())).isEmpty();
        assertThat(runtime.snapshot().streams()).isEmpty();
    }

    @Test
    @Operator("queue")
    void aPullThatIsGivenUpAsksForNothingMore() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            pull().cancel(false);
        }
        source.send(1);
        source.send(2);
        source.complete();
        assertThat(await(pull())).contains(1);
        assertThat(await(pull())).contains(2);
        assertThat(await(pull())).isEmpty();
    }
}
