package io.millrace.streams.operator.interop;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Sinks that hand elements to what is no stream of ours: publishers, subscribers, files. */
final class SinkEdgesTest {
    @TempDir
    Path folder;

    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    private <T> List<T> all(Publisher<T> publisher) throws Exception {
        return await(Source.<T>fromPublisher(publisher).runWith(Sink.seq(), runtime));
    }

    @Test
    @Operator({"asPublisher", "asFlowPublisher"})
    void aPublisherServesOneSubscriberWithAllElementsAndTheFailure() throws Exception {
        assertThat(all(Source.of(1, 2).runWith(Sink.<Integer>asPublisher(), runtime)))
                .containsExactly(1, 2);
        var flowPublisher = Source.of(1, 2).runWith(Sink.<Integer>asFlowPublisher(), runtime);
        assertThat(await(Source.<Integer>fromFlowPublisher(flowPublisher).runWith(Sink.seq(), runtime)))
                .containsExactly(1, 2);
        IllegalStateException mine = new IllegalStateException("mine");
        Publisher<Integer> failing = Source.<Integer>failed(mine).runWith(Sink.asPublisher(), runtime);
        assertThatThrownBy(() -> all(failing)).hasCause(mine);
        assertThatThrownBy(() -> all(failing)).hasStackTraceContaining("serves one subscriber");
    }

    @Test
    @Operator("asPublisher")
    void aSubscriberThatLeavesCancelsTheStream() throws Exception {
        Pair<TestSource<Integer>, Publisher<Integer>> ends = TestSource.<Integer>probe()
                .toMat(Sink.<Integer>asPublisher(), Keep.both())
                .run(runtime);
        CompletionStage<Integer> first =
                Source.<Integer>fromPublisher(ends.second()).runWith(Sink.head(), runtime);
        ends.first().expectPull().send(1);
        assertThat(await(first)).isEqualTo(1);
        ends.first().awaitCancellation();
    }

    @Test
    @Operator("asFanOutPublisher")
    void aFanOutPublisherServesOneSubscriberAfterTheOther() throws Exception {
        Publisher<Integer> shared = Source.repeat(7).runWith(Sink.asFanOutPublisher(4, runtime), runtime);
        for (int i = 0; i < 3; i++) {
            assertThat(await(Source.<Integer>fromPublisher(shared).runWith(Sink.head(), runtime)))
                    .isEqualTo(7);
        }
    }

    @Test
    @Operator({"fromSubscriber", "fromFlowSubscriber"})
    void aSubscriberGetsTheElementsTheEndAndTheFailure() throws Exception {
        Pair<Subscriber<Integer>, CompletionStage<List<Integer>>> peer = Source.<Integer>asSubscriber()
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        Source.of(1, 2).runWith(Sink.fromSubscriber(peer.first()), runtime);
        assertThat(await(peer.second())).containsExactly(1, 2);
        var failing = Source.<Integer>asFlowSubscriber()
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        IllegalStateException mine = new IllegalStateException("mine");
        Source.<Integer>failed(mine).runWith(Sink.fromFlowSubscriber(failing.first()), runtime);
        assertThatThrownBy(() -> await(failing.second())).hasCause(mine);
    }

    @Test
    @Operator("fromSubscriber")
    void aSecondRunIntoASinkThatServesOneFailsAndLeavesTheFirstAlone() throws Exception {
        Pair<CompletionStage<List<Integer>>, Sink<Integer, NotUsed>> made =
                Sink.<Integer>seq().preMaterialize(runtime);
        TestSource<Integer> first =
                TestSource.<Integer>probe().to(made.second()).run(runtime);
        first.expectPull();
        CompletionStage<Done> second = Source.<Integer>empty()
                .watchTermination(Keep.right())
                .to(made.second())
                .run(runtime);
        Throwable refusal = awaitFailure(Source.<Integer>never()
                .watchTermination(Keep.right())
                .to(made.second())
                .run(runtime));
        assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("serves one run");
        second.toCompletableFuture().exceptionally(failure -> Done.DONE).join();
        assertThat(made.first().toCompletableFuture()).isNotDone();
        first.send(1).complete();
        assertThat(await(made.first())).containsExactly(1);
    }

    @Test
    @Operator("fromSubscriber")
    void aRunThatDoesNotComeAboutTakesNoSubscriberFromTheRunBefore() throws Exception {
        Pair<CompletionStage<List<Integer>>, Sink<Integer, NotUsed>> made =
                Sink.<Integer>seq().preMaterialize(runtime);
        BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();
        try (StreamRuntime slow =
                StreamRuntime.create(RuntimeSettings.defaults().withExecutor(turns::add))) {
            Source.single(1).to(made.second()).run(slow);
            assertThatThrownBy(() -> Source.single(2)
                            .to(made.second())
                            .mapMaterializedValue(value -> {
                                throw new IllegalStateException("of this test");
                            })
                            .run(runtime))
                    .hasMessage("of this test");
            while (!made.first().toCompletableFuture().isDone()) {
                Runnable turn = turns.poll(10, TimeUnit.MILLISECONDS);
                if (turn != null) {
                    turn.run();
                }
            }
            assertThat(await(made.first())).containsExactly(1);
        }
    }

    /** One that cancels as it is subscribed, and notes what it is told all the same. */
    private static final class Leaving implements Subscriber<Integer> {
        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(Integer element) {
            told.add("element");
        }

        @Override
        public void onError(Throwable failure) {
            told.add("failure");
        }

        @Override
        public void onComplete() {
            told.add("completion");
        }
    }

    @Test
    @Operator("fromSubscriber")
    void aSubscriberThatLeavesAsItIsSubscribedIsToldOfNoEnd() {
        Leaving leaving = new Leaving();
        Source.<Integer>empty().to(Sink.fromSubscriber(leaving)).run(runtime);
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(leaving.told).isEmpty();
    }

    @Test
    @Operator("toPath")
    void buffersAreWrittenToAFileAndAFileThatCannotBeOpenedFails() throws Exception {
        Path file = folder.resolve("rows");
        Files.writeString(file, "what was there before");
        Source<ByteBuffer, ?> rows = Source.of("a\n", "b\n").map(UTF_8::encode);
        assertThat(await(rows.runWith(Sink.toPath(file), runtime))).isEqualTo(4);
        assertThat(Files.readString(file)).isEqualTo("a\nb\n");
        Path nowhere = folder.resolve("missing").resolve("rows");
        assertThatThrownBy(() -> await(rows.runWith(Sink.toPath(nowhere), runtime)))
                .hasStackTraceContaining("missing");
    }

    @Test
    @Operator("toPath")
    void sinksOfBytesLeaveTheirElementsToOthers() throws Exception {
        Path file = folder.resolve("rows");
        Path other = folder.resolve("others");
        Source<ByteBuffer, ?> rows =
                Source.of(UTF_8.encode("abc"), UTF_8.encode("de").asReadOnlyBuffer());
        assertThat(await(rows.alsoTo(Sink.toPath(other)).runWith(Sink.toPath(file), runtime)))
                .isEqualTo(5);
        assertThat(Files.readString(file)).isEqualTo("abcde");
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(Files.readString(other)).isEqualTo("abcde");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 2; i++) {
            assertThat(await(rows.runWith(Sink.toOutputStream(() -> stream), runtime)))
                    .isEqualTo(5);
        }
        assertThat(stream.toString(UTF_8)).isEqualTo("abcdeabcde");
    }

    @Test
    @Operator({"toPath", "toOutputStream", "fromSubscriber"})
    void aSinkThatCannotStartLeavesTheStreamThatItTaps() throws Exception {
        IllegalStateException mine = new IllegalStateException("mine");
        Path nowhere = folder.resolve("missing").resolve("rows");
        Source<ByteBuffer, ?> rows = Source.of("a", "b").map(UTF_8::encode);
        Subscriber<ByteBuffer> unwilling = new Unwilling<>(mine);
        List<Sink<ByteBuffer, ?>> sinks = List.of(
                Sink.toPath(nowhere),
                Sink.toOutputStream(() -> {
                    throw mine;
                }),
                Sink.fromSubscriber(unwilling));
        List<Object> results = new ArrayList<>();
        for (Sink<ByteBuffer, ?> sink : sinks) {
            results.add(await(rows.wireTap(sink)
                    .map(ByteBuffer::remaining)
                    .runWith(Sink.seq(), runtime)
                    .handle((elements, failure) -> failure == null ? elements : failure)));
        }
        assertThat(results).hasSize(3).containsOnly(List.of(1, 1));
        StreamLeakCheck.assertNoStreams(runtime);
    }

    @Test
    @Operator({"toPath", "toOutputStream"})
    void aSinkThatCannotOpenCancelsUpstreamAndItsFutureSaysWhy() throws Exception {
        Pair<TestSource<ByteBuffer>, CompletionStage<Long>> ends = TestSource.<ByteBuffer>probe()
                .toMat(Sink.toPath(folder.resolve("missing").resolve("rows")), Keep.both())
                .run(runtime);
        assertThatThrownBy(() -> await(ends.second())).hasCauseInstanceOf(NoSuchFileException.class);
        assertThat(ends.first().awaitCancellation()).isInstanceOf(NoSuchFileException.class);
        Pair<TestSource<ByteBuffer>, CompletionStage<Long>> other = TestSource.<ByteBuffer>probe()
                .toMat(
                        Sink.toOutputStream(() -> {
                            throw new IOException("mine");
                        }),
                        Keep.both())
                .run(runtime);
        assertThatThrownBy(() -> await(other.second())).hasCauseInstanceOf(IOException.class);
        assertThat(other.first().awaitCancellation()).hasMessage("mine");
    }

    /** Throws when it is given its subscription, and is to be told nothing more. */
    private record Unwilling<T>(RuntimeException failure) implements Subscriber<T> {
        @Override
        public void onSubscribe(Subscription subscription) {
            throw failure;
        }

        @Override
        public void onNext(T element) {
            throw new AssertionError("told of " + element);
        }

        @Override
        public void onError(Throwable told) {
            throw new AssertionError("told of a failure", told);
        }

        @Override
        public void onComplete() {
            throw new AssertionError("told of the end");
        }
    }
}
