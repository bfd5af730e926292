package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class NestedSourceTest extends EngineTest {
    /** However long a thread is paused meanwhile, closing does not give up. */
    @Override
    protected RuntimeSettings settings() {
        return super.settings().withCloseTimeout(Duration.ofMinutes(1));
    }

    @Test
    void lazySourceIsMadeByTheFirstDemandAndForEachRun() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Source<Integer, CompletionStage<String>> lazy = Source.lazy(() -> {
            int number = made.incrementAndGet();
            return Source.range(0, 100).mapMaterializedValue(nothing -> "value " + number);
        });
        Pair<CompletionStage<String>, TestSink<Integer>> running =
                lazy.toMat(TestSink.<Integer>probe(), Keep.both()).run(runtime);
        assertThat(running.first().toCompletableFuture()).isNotDone();
        assertThat(made).hasValue(0);
        running.second().request(1).expectNext(0);
        assertThat(await(running.first())).isEqualTo("value 1");
        running.second().request(99).expectNextN(99);
        running.second().expectComplete();
        assertThat(await(lazy.runWith(Sink.seq(), runtime))).hasSize(100);
        assertThat(made).hasValue(2);
    }

    @Test
    @Behaviour("MAT-5")
    void valueOfALazySourceThatIsNeverAskedFailsWithNeverMaterialized() throws Exception {
        CompletionStage<NotUsed> cancelled =
                Source.lazy(() -> Source.single(1)).to(Sink.cancelled()).run(runtime);
        assertThat(awaitFailure(cancelled))
                .isInstanceOf(NeverMaterializedException.class)
                .hasNoCause();
        Pair<CompletionStage<NotUsed>, TestSink<Integer>> failing = Source.lazy(() -> Source.single(1))
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        IllegalStateException mine = new IllegalStateException("mine");
        failing.second().cancel(mine);
        assertThat(awaitFailure(failing.first()))
                .isInstanceOf(NeverMaterializedException.class)
                .hasMessageContaining("the stream failed")
                .hasCause(mine);
        CompletionStage<NotUsed> abandoned = Source.lazy(() -> Source.single(1))
                .toMat(TestSink.<Integer>probe(), Keep.left())
                .run(runtime);
        runtime.close();
        assertThat(awaitFailure(abandoned))
                .isInstanceOf(NeverMaterializedException.class)
                .hasCauseInstanceOf(AbruptTerminationException.class);
    }

    @Test
    @Behaviour("MAT-5")
    void valueOfASourceWhoseFactoryThrowsFailsWithNeverMaterializedAndTheCause() throws Exception {
        IllegalStateException mine = new IllegalStateException("mine");
        Pair<CompletionStage<NotUsed>, TestSink<Integer>> lazily = Source.<Integer, NotUsed>lazy(() -> {
                    throw mine;
                })
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        lazily.second().request(1);
        assertThat(lazily.second().expectError()).isSameAs(mine);
        assertThat(awaitFailure(lazily.first()))
                .isInstanceOf(NeverMaterializedException.class)
                .hasCause(mine);
        Pair<CompletionStage<NotUsed>, CompletionStage<List<Integer>>> atOnce = Source.<Integer, NotUsed>fromRuntime(
                        (own, attributes) -> {
                            throw mine;
                        })
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        awaitFailure(atOnce.second());
        assertThat(awaitFailure(atOnce.first()))
                .isInstanceOf(NeverMaterializedException.class)
                .hasCause(mine);
    }

    @Test
    @Behaviour("MAT-5")
    void valueOfASourceFromTheRuntimeFailsWithNeverMaterializedWhenTheStreamNeverStarts() throws Exception {
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        CompletionStage<NotUsed> value = Source.<Integer, NotUsed>fromRuntime((own, attributes) -> Source.single(1))
                .withAttributes(Attributes.dispatcher(held::add))
                .to(Sink.ignore())
                .run(runtime);
        Thread closing = new Thread(runtime::close);
        closing.start();
        Await.until(() -> closing.getState() == Thread.State.TIMED_WAITING); // it waits for the streams it has ended
        held.remove().run();
        closing.join();
        assertThat(awaitFailure(value)).isInstanceOf(NeverMaterializedException.class);
    }

    @Test
    void sourceFromTheRuntimeKnowsTheRuntimeAndItsAttributes() throws Exception {
        Pair<CompletionStage<String>, CompletionStage<List<String>>> running = Source.fromRuntime(
                        (own, attributes) -> Source.of(attributes.path(), String.valueOf(own == runtime))
                                .mapMaterializedValue(nothing -> "mine"))
                .named("outer")
                .toMat(Sink.<String>seq(), Keep.both())
                .run(runtime);
        assertThat(await(running.first())).isEqualTo("mine");
        assertThat(await(running.second())).containsExactly("outer", "true");
    }

    @Test
    void nestedFailureAndCancellationPassThrough() {
        TestSink<Integer> failing = Source.lazy(() -> Source.<Integer>failed(new IllegalStateException("mine")))
                .runWith(TestSink.probe(), runtime);
        failing.request(1);
        assertThat(failing.expectError()).hasMessage("mine");
        Pair<TestSource<Integer>, Source<Integer, NotUsed>> inner =
                TestSource.<Integer>probe().preMaterialize(runtime);
        TestSink<Integer> cancelling = Source.lazy(inner::second).runWith(TestSink.probe(), runtime);
        cancelling.request(1);
        inner.first().send(5);
        cancelling.expectNext(5);
        cancelling.cancel();
        inner.first().awaitCancellation();
    }
}
