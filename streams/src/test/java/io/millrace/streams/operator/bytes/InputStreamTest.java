package io.millrace.streams.operator.bytes;

import static io.millrace.streams.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bytes of a stream for who reads and waits. */
final class InputStreamTest extends OperatorTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private Pair<TestSource<ByteBuffer>, InputStream> fed() {
        return TestSource.<ByteBuffer>probe()
                .toMat(Sink.asInputStream(), Keep.both())
                .run(runtime);
    }

    /** Runs it on a thread of its own and hands back the thread once it waits. */
    private static Thread waiting(Runnable call) {
        Thread thread = new Thread(call);
        thread.start();
        Await.until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    @Test
    @Timeout(20)
    @Operator("asInputStream")
    void toAskWhatIsThereDoesNotWaitBehindAnEmptyChunk() throws Exception {
        CountDownLatch isEmptied = new CountDownLatch(1);
        InputStream in = Source.single(bytes(""))
                .concat(Source.maybe())
                .doOnNext(chunk -> isEmptied.countDown())
                .runWith(Sink.asInputStream(), runtime);
        assertThat(isEmptied.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 10_000; i++) {
            assertThat(in.available()).isZero();
        }
        in.close();
    }

    @Test
    @Operator("asInputStream")
    void aFutureThatWasCancelledIsAFailureLikeOthers() {
        CompletableFuture<ByteBuffer> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        InputStream in = Source.of(1).mapAsync(1, n -> cancelled).runWith(Sink.asInputStream(), runtime);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasCauseInstanceOf(CancellationException.class);
    }

    @Test
    @Operator("asInputStream")
    void everythingIsReadWhateverTheChunks() throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(2).put(bytes("ef")).flip();
        ByteBuffer part = bytes("..cd..").position(2).limit(4);
        InputStream in = Source.of(bytes("ab"), bytes(""), part, direct.asReadOnlyBuffer(), bytes("\u00ff"))
                .runWith(Sink.asInputStream(), runtime);
        assertThat(in.read()).isEqualTo('a');
        assertThat(in.read(new byte[0])).isZero();
        assertThat(in.readNBytes(4)).asString(UTF_8).isEqualTo("bcde");
        assertThat(in.readAllBytes()).asString(UTF_8).isEqualTo("f\u00ff");
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[3])).isEqualTo(-1);
        assertThat(part.remaining()).isEqualTo(2);
    }

    @Test
    @Operator("asInputStream")
    void bytesAreUnsigned() throws IOException {
        InputStream in = Source.of(ByteBuffer.wrap(new byte[] {-1, 0})).runWith(Sink.asInputStream(), runtime);
        assertThat(List.of(in.read(), in.read(), in.read())).containsExactly(255, 0, -1);
    }

    @Test
    @Operator("asInputStream")
    void oneChunkIsHeldAndOneTakenAhead() throws IOException {
        RuntimeSettings sameThread = RuntimeSettings.defaults().withExecutor(Runnable::run);
        AtomicInteger made = new AtomicInteger();
        try (StreamRuntime here = StreamRuntime.create(sameThread);
                InputStream in = Source.of("abc", "", "def", "ghi", "jkl")
                        .map(InputStreamTest::bytes)
                        .doOnNext(chunk -> made.incrementAndGet())
                        .runWith(Sink.asInputStream(), here)) {
            assertThat(made).hasValue(1);
            assertThat(in.available()).isEqualTo(3);
            assertThat(in.readNBytes(2)).asString(UTF_8).isEqualTo("ab");
            assertThat(in.available()).isEqualTo(1);
            assertThat(made).hasValue(2);
            assertThat(in.read()).isEqualTo('c');
            assertThat(in.available()).isEqualTo(3);
            assertThat(made).hasValue(4);
            assertThat(in.readAllBytes()).asString(UTF_8).isEqualTo("defghijkl");
            assertThat(in.available()).isZero();
        }
    }

    @Test
    @Operator("asInputStream")
    void aFailureIsNoCleanEnd() throws IOException {
        IllegalStateException mine = new IllegalStateException("mine");
        InputStream in =
                Source.of(bytes("ab")).concat(Source.<ByteBuffer>failed(mine)).runWith(Sink.asInputStream(), runtime);
        assertThat(in.readNBytes(2)).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(in::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mine")
                    .hasCause(mine);
        }
    }

    @Test
    @Operator("asInputStream")
    void closingCancelsAndEndsAReadThatWaits() throws Exception {
        Pair<TestSource<ByteBuffer>, InputStream> ends = fed();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread reader = waiting(() -> ended.complete(catchThrowable(ends.second()::read)));
        ends.second().close();
        assertThat(await(ended)).isInstanceOf(IOException.class).hasMessageContaining("closed");
        reader.join();
        ends.first().awaitCancellation();
        assertThatThrownBy(ends.second()::read).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(ends.second()::available).isInstanceOf(IOException.class);
        ends.second().close();
    }

    @Test
    @Operator("asInputStream")
    void anInterruptEndsTheReadAndLosesNothing() throws Exception {
        Pair<TestSource<ByteBuffer>, InputStream> ends = fed();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CompletableFuture<Boolean> isMarked = new CompletableFuture<>();
        Thread reader = waiting(() -> {
            ended.complete(catchThrowable(ends.second()::read));
            isMarked.complete(Thread.currentThread().isInterrupted());
        });
        reader.interrupt();
        assertThat(await(ended)).isInstanceOf(InterruptedIOException.class);
        assertThat(await(isMarked)).isTrue();
        ends.first().send(bytes("a")).complete();
        assertThat(ends.second().readAllBytes()).asString(UTF_8).isEqualTo("a");
    }

    @Test
    @Operator("asInputStream")
    void aClosedRuntimeFailsTheRead() {
        StreamRuntime closing = StreamRuntime.create();
        InputStream in = Source.<ByteBuffer>never().runWith(Sink.asInputStream(), closing);
        closing.close();
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("the stream has failed");
    }
}
