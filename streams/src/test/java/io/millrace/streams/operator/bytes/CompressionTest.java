package io.millrace.streams.operator.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Compression;
import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.CompressionException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.testkit.Operator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is compressed here is read by others and the other way round, however the bytes come. */
@Operator({"Compression.gzip", "Compression.gunzip", "Compression.deflate", "Compression.inflate"})
final class CompressionTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    private byte[] run(Flow<ByteBuffer, ByteBuffer, NotUsed> flow, List<ByteBuffer> chunks) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Source.from(chunks)
                .via(flow)
                .runWith(Sink.toOutputStream(() -> out), runtime)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        return out.toByteArray();
    }

    private byte[] run(Flow<ByteBuffer, ByteBuffer, NotUsed> flow, byte[] bytes) throws Exception {
        return run(flow, List.of(ByteBuffer.wrap(bytes)));
    }

    private static byte[] gzipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    /** Text that compresses about as text does. */
    private static byte[] text(Random random, int bytes) {
        byte[] made = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            made[i] = (byte) ('a' + random.nextInt(4));
        }
        return made;
    }

    @Test
    void anyChunkingIsCompressedForTheReadersOfTheJdkAndBack() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            byte[] plain = text(random, random.nextInt(60_000));
            byte[] gzip = run(Compression.gzip(), RandomChunks.of(plain, random));
            byte[] zlib = run(Compression.deflate(), RandomChunks.of(plain, random));
            assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes())
                    .as("seed %d", seed)
                    .isEqualTo(plain);
            assertThat(new InflaterInputStream(new ByteArrayInputStream(zlib)).readAllBytes())
                    .as("seed %d", seed)
                    .isEqualTo(plain);
            assertThat(run(Compression.gunzip(), RandomChunks.of(gzip, random)))
                    .as("seed %d", seed)
                    .isEqualTo(plain);
            assertThat(run(Compression.inflate(), RandomChunks.of(zlib, random)))
                    .as("seed %d", seed)
                    .isEqualTo(plain);
        }
    }

    @Test
    void membersThatFollowEachOtherAreOneStream() throws Exception {
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.write(gzipped("one ".getBytes(ISO_8859_1)));
        two.write(gzipped("two".getBytes(ISO_8859_1)));
        assertThat(run(Compression.gunzip(), two.toByteArray())).asString().isEqualTo("one two");
        assertThat(run(Compression.gunzip(), RandomChunks.of(two.toByteArray(), new Random(7))))
                .asString()
                .isEqualTo("one two");
    }

    @Test
    void ofNoBytesNothingIsDecompressedButMembers() throws Exception {
        assertThat(run(Compression.gunzip(), List.of())).isEmpty();
        assertThatThrownBy(() -> run(Compression.inflate(), List.of()))
                .hasRootCauseInstanceOf(CompressionException.class)
                .hasStackTraceContaining("the input ended after 0 bytes");
        assertThatThrownBy(() -> run(Compression.inflate(), new byte[0]))
                .hasStackTraceContaining("the input ended after 0 bytes");
    }

    @Test
    void everyFieldOfAHeaderIsReadPast() throws Exception {
        byte[] plain = gzipped("text".getBytes(ISO_8859_1));
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        named.write(plain, 0, 3);
        named.write(4 | 8 | 16);
        named.write(plain, 4, 6);
        named.write(new byte[] {3, 0, 'x', 'y', 'z'});
        named.write("name\0comment\0".getBytes(ISO_8859_1));
        named.write(plain, 10, plain.length - 10);
        assertThat(run(Compression.gunzip(), RandomChunks.of(named.toByteArray(), new Random(3))))
                .asString()
                .isEqualTo("text");
    }

    @Test
    void anyWrongByteIsFoundOrHarmlessAndNeverGivesOtherBytes() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] plain = text(random, 300);
        byte[] good = gzipped(plain);
        int refused = 0;
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(run(Compression.gunzip(), bad))
                        .as("seed %d, byte %d", seed, at)
                        .isEqualTo(plain);
            } catch (ExecutionException failure) {
                assertThat(failure).as("seed %d, byte %d", seed, at).hasCauseInstanceOf(CompressionException.class);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(good.length - 10);
    }

    @Test
    void whatIsCutOffOrFollowedByGarbageIsRefusedWithItsPlace() throws Exception {
        byte[] good = gzipped("hello".getBytes(ISO_8859_1));
        for (int length = 1; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> run(Compression.gunzip(), cut))
                    .hasStackTraceContaining("ended after " + cut.length + " bytes");
        }
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        assertThatThrownBy(() -> run(Compression.gunzip(), longer))
                .hasStackTraceContaining("byte " + good.length + " is 0x00");
        byte[] zlib = run(Compression.deflate(), "hello".getBytes(ISO_8859_1));
        byte[] longerZlib = Arrays.copyOf(zlib, zlib.length + 1);
        assertThatThrownBy(() -> run(Compression.inflate(), longerZlib))
                .hasStackTraceContaining("byte " + zlib.length + " comes after the end");
        assertThatThrownBy(() -> run(Compression.inflate(), new byte[] {1, 2, 3}))
                .hasStackTraceContaining("corrupt");
    }

    @Test
    void whatExpandsBeyondTheLimitIsRefused() throws Exception {
        byte[] zeros = new byte[8 << 20];
        byte[] bomb = gzipped(zeros);
        assertThatThrownBy(() -> run(Compression.gunzip(), bomb)).hasStackTraceContaining("more than 100 to 1");
        assertThat(run(Compression.gunzip(2_000), bomb)).hasSize(zeros.length);
        byte[] zlib = run(Compression.deflate(), zeros);
        assertThatThrownBy(() -> run(Compression.inflate(), zlib)).hasStackTraceContaining("more than 100 to 1");
        assertThatThrownBy(() -> Compression.gunzip(0)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> Compression.inflate(-1)).hasMessageContaining("at least 1, not -1");
    }

    @Test
    void chunksStayAsTheyAre() throws Exception {
        ByteBuffer chunk = ByteBuffer.wrap("hello".getBytes(ISO_8859_1));
        run(Compression.gzip(), List.of(chunk));
        ByteBuffer compressed = ByteBuffer.wrap(gzipped("hello".getBytes(ISO_8859_1)));
        run(Compression.gunzip(), List.of(compressed));
        assertThat(chunk.remaining()).isEqualTo(5);
        assertThat(compressed.position()).isZero();
    }
}
