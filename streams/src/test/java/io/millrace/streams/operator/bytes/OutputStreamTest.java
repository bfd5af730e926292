package io.millrace.streams.operator.bytes;

import static io.millrace.streams.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Await;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An output stream whose bytes a stream emits. */
final class OutputStreamTest extends OperatorTest {
    private static final byte[] TEN = "0123456789".getBytes(UTF_8);

    private static String text(ByteBuffer chunk) {
        return UTF_8.decode(chunk.duplicate()).toString();
    }

    private Pair<OutputStream, TestSink<String>> read(int chunkBytes) {
        return Source.asOutputStream(chunkBytes)
                .map(OutputStreamTest::text)
                .toMat(TestSink.<String>probe(), Keep.both())
                .run(runtime);
    }

    @Test
    @Operator("asOutputStream")
    void whatIsWrittenIsCopiedGatheredAndEmitted() throws Exception {
        Pair<OutputStream, CompletionStage<List<String>>> ends = Source.asOutputStream(4)
                .map(OutputStreamTest::text)
                .toMat(Sink.<String>seq(), Keep.both())
                .run(runtime);
        byte[] bytes = TEN.clone();
        ends.first().write(bytes, 1, 6);
        bytes[5] = 'x';
        ends.first().write('a');
        ends.first().flush();
        ends.first().flush();
        ends.first().write(TEN, 0, 1);
        ends.first().close();
        ends.first().close();
        ends.first().flush();
        assertThat(await(ends.second())).containsExactly("1234", "56a", "0");
        assertThatThrownBy(() -> ends.first().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> Source.asOutputStream(0)).hasMessageContaining("at least 1 byte, not 0");
    }

    @Test
    @Operator("asOutputStream")
    void whatIsLargeGoesThrough() throws Exception {
        Pair<OutputStream, CompletionStage<Integer>> ends = Source.asOutputStream()
                .map(chunk -> chunk.remaining())
                .toMat(Sink.fold(0, Integer::sum), Keep.both())
                .run(runtime);
        try (OutputStream out = ends.first()) {
            out.write(new byte[1_000_000]);
        }
        assertThat(await(ends.second())).isEqualTo(1_000_000);
    }

    @Test
    @Operator("asOutputStream")
    void whoWritesWaitsForDownstream() throws Exception {
        Pair<OutputStream, TestSink<String>> ends = read(1);
        AtomicInteger written = new AtomicInteger();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread writer = new Thread(() -> ended.complete(catchThrowable(() -> {
            for (byte b : TEN) {
                ends.first().write(b);
                written.incrementAndGet();
            }
            ends.first().close();
        })));
        writer.start();
        Await.until(() -> writer.getState() == Thread.State.WAITING);
        assertThat(written).hasValue(4);
        ends.second().request(1).expectNext("0");
        Await.until(() -> written.get() == 5 && writer.getState() == Thread.State.WAITING);
        ends.second()
                .request(9)
                .expectNext("1", "2", "3", "4", "5", "6", "7", "8", "9")
                .expectComplete();
        assertThat((Object) await(ended)).isNull();
        writer.join();
    }

    @Test
    @Operator("asOutputStream")
    void anInterruptEndsTheWriteAndLosesNothing() throws Exception {
        Pair<OutputStream, TestSink<String>> ends = read(1);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CompletableFuture<Boolean> isMarked = new CompletableFuture<>();
        Thread writer = new Thread(() -> {
            ended.complete(catchThrowable(() -> ends.first().write(TEN)));
            isMarked.complete(Thread.currentThread().isInterrupted());
        });
        writer.start();
        Await.until(() -> writer.getState() == Thread.State.WAITING);
        writer.interrupt();
        assertThat(await(ended))
                .isInstanceOfSatisfying(
                        InterruptedIOException.class,
                        e -> assertThat(e.bytesTransferred).isEqualTo(5));
        assertThat(await(isMarked)).isTrue();
        ends.second().request(10).expectNext("0", "1", "2", "3", "4");
        ends.first().write(TEN, 5, 5);
        ends.second().expectNext("5", "6", "7", "8", "9");
        ends.first().close();
        ends.second().expectComplete();
    }

    @Test
    @Operator("asOutputStream")
    void aCloseTellsThatWhatAnInterruptedWriteHandedOnIsLost() throws Exception {
        Pair<OutputStream, TestSink<String>> ends = read(1);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread writer = new Thread(
                () -> ended.complete(catchThrowable(() -> ends.first().write(TEN, 0, 5))));
        writer.start();
        Await.until(() -> writer.getState() == Thread.State.WAITING);
        writer.interrupt();
        assertThat(await(ended)).isInstanceOf(InterruptedIOException.class);
        ends.second().cancel();
        Await.until(() -> catchThrowable(ends.first()::flush) != null);
        assertThatThrownBy(ends.first()::close).isInstanceOf(IOException.class).hasMessageContaining("was cancelled");
    }

    @Test
    @Operator("asOutputStream")
    void afterACancellationNothingIsTaken() throws Exception {
        Pair<OutputStream, TestSink<String>> ends = read(100);
        ends.first().write('a');
        ends.first().flush();
        ends.second().cancel();
        Await.until(() -> catchThrowable(ends.first()::flush) != null);
        assertThatThrownBy(() -> ends.first().write(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was cancelled")
                .hasNoCause();
        ends.first().close();
    }

    @Test
    @Operator("asOutputStream")
    void aFailureFailsWritesThatWaitAndThoseThatCome() throws Exception {
        IllegalStateException mine = new IllegalStateException("mine");
        Pair<OutputStream, TestSink<String>> ends = read(1);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread writer = new Thread(
                () -> ended.complete(catchThrowable(() -> ends.first().write(TEN))));
        writer.start();
        Await.until(() -> writer.getState() == Thread.State.WAITING);
        ends.second().cancel(mine);
        assertThat(await(ended)).isInstanceOf(IOException.class).hasCause(mine);
        assertThatThrownBy(() -> ends.first().write(1))
                .isInstanceOf(IOException.class)
                .hasCause(mine);
        assertThatThrownBy(() -> ends.first().flush())
                .isInstanceOf(IOException.class)
                .hasCause(mine);
        writer.join();
    }

    @Test
    @Operator("asOutputStream")
    void closingTellsThatTheLastBytesWereNotTaken() throws Exception {
        StreamRuntime closing = StreamRuntime.create();
        OutputStream out = Source.asOutputStream().to(Sink.ignore()).run(closing);
        out.write(1);
        closing.close();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("the stream has failed");
    }
}
