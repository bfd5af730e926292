package io.millrace.streams.operator.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.operator.OperatorTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a source has opened is closed once, however the stream ends. */
final class ResourceSourcesTest extends OperatorTest {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /** Counts from 1 to 4 and throws at 3, once for all that are opened. */
    private Source<Integer, ?> counting(boolean throwing) {
        AtomicInteger failures = new AtomicInteger(throwing ? 1 : 0);
        return Source.unfoldResource(
                () -> {
                    opened.incrementAndGet();
                    return new AtomicInteger();
                },
                counter -> {
                    int next = counter.incrementAndGet();
                    if (next == 3 && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("three");
                    }
                    return next > 4 ? Optional.empty() : Optional.of(next);
                },
                counter -> closed.incrementAndGet());
    }

    private void closedOnce() {
        nothingRuns();
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    @Operator("unfoldResource")
    void aResourceIsClosedAtItsEnd() {
        TestSink<Integer> sink = counting(false).runWith(TestSink.probe(), runtime);
        for (int i = 1; i <= 4; i++) {
            sink.request(1).expectNext(i);
        }
        sink.request(1).expectComplete();
        closedOnce();
    }

    @Test
    @Operator("unfoldResource")
    void aResourceIsClosedWhenReadingFails() throws Exception {
        assertThat(failureOf(counting(true))).hasMessage("three");
        closedOnce();
    }

    @Test
    @Operator("unfoldResource")
    void aResourceIsClosedWhenDownstreamCancels() {
        TestSink<Integer> sink = Source.unfoldResource(
                        opened::incrementAndGet,
                        resource -> Optional.of(resource),
                        resource -> closed.incrementAndGet())
                .runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext(1);
        sink.cancel();
        closedOnce();
    }

    @Test
    @Operator("unfoldResource")
    void aResourceThatNobodyAsksOfIsNotOpened() {
        Source<Integer, ?> source = counting(false);
        TestSink<Integer> sink =
                source.withAttributes(Attributes.inputBuffer(1)).runWith(TestSink.probe(), runtime);
        sink.cancel();
        nothingRuns();
        assertThat(closed).hasValue(opened.get());
    }

    @Test
    @Operator("unfoldResource")
    void supervisionReadsOnOrOpensAnother() throws Exception {
        assertThat(all(counting(true).withAttributes(Attributes.supervision(Supervision.resume()))))
                .containsExactly(1, 2, 4);
        closedOnce();
        opened.set(0);
        closed.set(0);
        assertThat(all(counting(true).withAttributes(Attributes.supervision(Supervision.restart()))))
                .containsExactly(1, 2, 1, 2, 3, 4);
        nothingRuns();
        assertThat(opened).hasValue(2);
        assertThat(closed).hasValue(2);
    }

    @Test
    @Operator("unfoldResource")
    void aResourceThatAlwaysFailsUnderSupervisionCanStillBeCancelled() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(3);
        TestSink<Integer> sink = Source.<Integer, Integer>unfoldResource(
                        () -> 1,
                        resource -> {
                            tried.countDown();
                            throw new IllegalStateException("always");
                        },
                        resource -> closed.incrementAndGet())
                .withAttributes(Attributes.supervision(Supervision.resume()))
                .runWith(TestSink.probe(), runtime);
        sink.request(1);
        assertThat(tried.await(20, TimeUnit.SECONDS)).isTrue();
        sink.cancel();
        nothingRuns();
        assertThat(closed).hasValue(1);
    }

    @Test
    @Operator("unfoldResource")
    void whatCannotBeOpenedOrClosedFailsTheStream() throws Exception {
        assertThat(failureOf(Source.unfoldResource(
                        () -> {
                            throw new IOException("cannot open");
                        },
                        resource -> Optional.of(1),
                        resource -> closed.incrementAndGet())))
                .hasMessage("cannot open");
        assertThat(closed).hasValue(0);
        assertThat(failureOf(Source.unfoldResource(() -> 1, resource -> Optional.empty(), resource -> {
                    closed.incrementAndGet();
                    throw new IOException("cannot close");
                })))
                .hasMessage("cannot close");
        nothingRuns();
        assertThat(closed).hasValue(1);
        assertThat(failureOf(Source.unfoldResource(() -> null, r -> Optional.of(1), r -> {})))
                .hasMessageStartingWith("unfoldResource:");
    }

    @Test
    @Operator("fromStream")
    void aStreamIsClosedOnceAtItsEndAtItsFailureAndWhenItIsCancelled() throws Exception {
        Source<Integer, ?> source = Source.fromStream(() -> {
            opened.incrementAndGet();
            return Stream.of(1, 2, 0, 3).map(n -> 6 / n).onClose(closed::incrementAndGet);
        });
        assertThat(failureOf(source)).isInstanceOf(ArithmeticException.class);
        closedOnce();
        assertThat(all(source.take(2))).containsExactly(6, 3);
        nothingRuns();
        assertThat(closed).hasValue(2);
        assertThat(all(Source.fromStream(() -> Stream.of(1).onClose(closed::incrementAndGet))))
                .containsExactly(1);
        nothingRuns();
        assertThat(closed).hasValue(3);
    }

    /** Counts how often it is closed, and fails when it has been read. */
    private final class Bytes extends ByteArrayInputStream {
        private final boolean failing;

        Bytes(String text, boolean failing) {
            super(text.getBytes(StandardCharsets.UTF_8));
            this.failing = failing;
            opened.incrementAndGet();
        }

        @Override
        public int read(byte[] into) throws IOException {
            if (failing && available() == 0) {
                throw new IOException("broken");
            }
            return super.read(into);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static String text(ByteBuffer chunk) {
        return StandardCharsets.UTF_8.decode(chunk).toString();
    }

    @Test
    @Operator("fromInputStream")
    void anInputStreamIsReadInChunksOneByOne() {
        TestSink<String> sink = Source.fromInputStream(() -> new Bytes("abcde", false), 2)
                .map(ResourceSourcesTest::text)
                .runWith(TestSink.probe(), runtime);
        for (String expected : List.of("ab", "cd", "e")) {
            sink.request(1).expectNext(expected);
        }
        sink.request(1).expectComplete();
        closedOnce();
    }

    @Test
    @Operator("fromInputStream")
    void anInputStreamThatFailsOrIsNotReadToItsEndIsClosed() throws Exception {
        assertThat(failureOf(Source.fromInputStream(() -> new Bytes("abc", true))))
                .hasMessage("broken");
        closedOnce();
        TestSink<ByteBuffer> sink =
                Source.fromInputStream(() -> new Bytes("abc", false), 1).runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext();
        sink.cancel();
        nothingRuns();
        assertThat(closed).hasValue(2);
        assertThat(all(Source.fromInputStream(InputStream::nullInputStream))).isEmpty();
        assertThatThrownBy(() -> Source.fromInputStream(InputStream::nullInputStream, 0))
                .hasMessageContaining("not 0");
    }

    @Test
    @Operator("fromPath")
    void aFileIsReadInChunksOneByOne(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("text"), "abcde");
        TestSink<String> sink =
                Source.fromPath(file, 2).map(ResourceSourcesTest::text).runWith(TestSink.probe(), runtime);
        for (String expected : List.of("ab", "cd", "e")) {
            sink.request(1).expectNext(expected);
        }
        sink.request(1).expectComplete();
        TestSink<ByteBuffer> cancelling = Source.fromPath(file, 1).runWith(TestSink.probe(), runtime);
        cancelling.request(1).expectNext();
        cancelling.cancel();
        assertThat(failureOf(Source.fromPath(folder.resolve("none")))).isInstanceOf(IOException.class);
    }
}
