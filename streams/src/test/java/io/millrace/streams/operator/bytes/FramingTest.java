package io.millrace.streams.operator.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Flow;
import io.millrace.streams.Framing;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.FramingException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.testkit.Operator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames are the same however the bytes come, and what is no frame is said to be none. */
@Operator({"Framing.lines", "Framing.delimiter", "Framing.lengthField", "Framing.jsonObjects"})
final class FramingTest {
    private static final int ROUNDS = 300;

    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    /** What came of some bytes: frames, and then the failure, if there was one. */
    private record Outcome(List<String> frames, boolean failed) {}

    private Outcome run(Flow<ByteBuffer, ByteBuffer, NotUsed> framing, List<ByteBuffer> chunks) {
        List<String> frames = new ArrayList<>();
        CompletionStage<?> end = Source.from(chunks)
                .via(framing)
                .runWith(
                        Sink.foreach(
                                frame -> frames.add(ISO_8859_1.decode(frame).toString())),
                        runtime);
        Throwable failure = catchThrowable(() -> end.toCompletableFuture().get(20, TimeUnit.SECONDS));
        if (failure != null) {
            assertThat(failure).hasCauseInstanceOf(FramingException.class);
        }
        return new Outcome(frames, failure != null);
    }

    private List<String> frames(Flow<ByteBuffer, ByteBuffer, NotUsed> framing, String... chunks) throws Exception {
        return Source.from(List.of(chunks))
                .map(chunk -> ByteBuffer.wrap(chunk.getBytes(ISO_8859_1)))
                .via(framing)
                .map(frame -> ISO_8859_1.decode(frame).toString())
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    // ---------------------------------------------------------------------------------------------- any chunking

    @Test
    void anyChunkingOfLinesGivesTheSameLines() {
        checkChunkings(Framing.lines(8), "ab\r\n \r");
    }

    @Test
    void anyChunkingOfDelimitedFramesGivesTheSameFrames() {
        checkChunkings(Framing.delimiter("aab".getBytes(UTF_8), 8), "aab");
    }

    @Test
    void anyChunkingOfFramesWithALengthGivesTheSameFrames() {
        checkChunkings(Framing.lengthField(1, 1, 8, ByteOrder.LITTLE_ENDIAN), "\0\1\2\3\4\5\6\1\2");
        checkChunkings(Framing.lengthField(0, 3, 8, ByteOrder.BIG_ENDIAN), "\0\0\0\0\0\0\1");
    }

    @Test
    void anyChunkingOfJsonObjectsGivesTheSameObjects() {
        checkChunkings(Framing.jsonObjects(12), "{}{}\"\\a, \n");
        checkChunkings(Framing.jsonObjects(12), "{}{}{}{}{}[]");
    }

    /** Random bytes of an alphabet, in one piece and in many: the same frames, and the same end. */
    private void checkChunkings(Flow<ByteBuffer, ByteBuffer, NotUsed> framing, String alphabet) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int whole = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
            }
            Outcome inOnePiece = run(framing, List.of(ByteBuffer.wrap(bytes)));
            whole += inOnePiece.frames().size();
            assertThat(run(framing, RandomChunks.of(bytes, random)))
                    .as("seed %d, round %d, bytes %s", seed, round, new String(bytes, ISO_8859_1))
                    .isEqualTo(inOnePiece);
        }
        assertThat(whole).as("frames seen with seed %d", seed).isGreaterThan(ROUNDS / 100);
    }

    @Test
    void aLongStreamInTinyChunksGivesEveryFrame() throws Exception {
        List<ByteBuffer> chunks = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        for (byte one : text.toString().getBytes(UTF_8)) {
            chunks.add(ByteBuffer.wrap(new byte[] {one}));
        }
        Outcome outcome = run(Framing.lines(20), chunks);
        assertThat(outcome.frames()).hasSize(2_000).contains("line 0", "line 1999");
        assertThat(outcome.failed()).isFalse();
    }

    @Test
    void chunksStayAsTheyAreAndFramesAreReadOnlyViews() throws Exception {
        ByteBuffer chunk = ByteBuffer.wrap("a\nb\n".getBytes(UTF_8));
        List<ByteBuffer> frames = Source.single(chunk)
                .via(Framing.lines(5))
                .runWith(Sink.seq(), runtime)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        assertThat(chunk.remaining()).isEqualTo(4);
        assertThat(frames).hasSize(2).allMatch(ByteBuffer::isReadOnly);
        chunk.put(0, (byte) 'z');
        assertThat(frames.get(0).get(0)).isEqualTo((byte) 'z');
    }

    // ------------------------------------------------------------------------------------------------------ lines

    @Test
    void linesEndWithLfOrCrLfAndTheLastMayLackItsEnd() throws Exception {
        assertThat(frames(Framing.lines(5), "a\r\n\nb\rc\n", "d\r")).containsExactly("a", "", "b\rc", "d\r");
    }

    @Test
    void aLineThatIsTooLongIsRefusedWithBothNumbers() throws Exception {
        assertThat(frames(Framing.lines(3), "abc", "\r", "\nabc\n")).containsExactly("abc", "abc");
        assertThatThrownBy(() -> frames(Framing.lines(3), "ab\n", "abcd\n"))
                .hasRootCauseInstanceOf(FramingException.class)
                .hasStackTraceContaining("the line at byte 3 has 4 bytes or more; at most 3");
        assertThatThrownBy(() -> frames(Framing.lines(3), "abcdefg")).hasStackTraceContaining("at most 3");
    }

    // -------------------------------------------------------------------------------------- delimiters and lengths

    @Test
    void aFrameWithoutItsDelimiterIsRefused() {
        byte[] delimiter = {0};
        assertThatThrownBy(() -> frames(Framing.delimiter(delimiter, 5), "a\0bc"))
                .hasStackTraceContaining("inside the frame at byte 2: 2 bytes");
        assertThatThrownBy(() -> frames(Framing.delimiter(delimiter, 5), "abc", "def", "g\0"))
                .hasStackTraceContaining("has 6 bytes or more; at most 5");
    }

    @Test
    void lengthsAreReadInEitherOrderAndTooLongOnesRefused() throws Exception {
        assertThat(frames(Framing.lengthField(0, 4, 9, ByteOrder.BIG_ENDIAN), "\0\0\0\1a"))
                .containsExactly("\0\0\0\1a");
        assertThat(frames(Framing.lengthField(0, 4, 9, ByteOrder.LITTLE_ENDIAN), "\1\0\0\0a"))
                .containsExactly("\1\0\0\0a");
        assertThatThrownBy(() -> frames(Framing.lengthField(0, 4, 9, ByteOrder.BIG_ENDIAN), "\u00ff\u00ff\u00ff\u00ff"))
                .hasStackTraceContaining("has 4294967299 bytes by its length field; at most 9");
        assertThatThrownBy(() -> frames(Framing.lengthField(0, 1, 9, ByteOrder.BIG_ENDIAN), "\2a"))
                .hasStackTraceContaining("inside the frame at byte 0 after 2 bytes");
    }

    // ------------------------------------------------------------------------------------------------------- JSON

    @Test
    void objectsAreFoundInArraysAndOneAfterTheOther() throws Exception {
        assertThat(frames(Framing.jsonObjects(50), "[{\"a\":[{}]}, {\"b\":\"\\\"}\\\\\"}]\n{\"c\":1}\n{},{}"))
                .containsExactly("{\"a\":[{}]}", "{\"b\":\"\\\"}\\\\\"}", "{\"c\":1}", "{}", "{}");
    }

    @Test
    void garbageBetweenObjectsIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> frames(Framing.jsonObjects(50), "{}", " x{}"))
                .hasStackTraceContaining("byte 3 is 'x'");
        assertThatThrownBy(() -> frames(Framing.jsonObjects(50), "[[{}]]")).hasStackTraceContaining("byte 1 is '['");
        assertThatThrownBy(() -> frames(Framing.jsonObjects(50), "{}\0")).hasStackTraceContaining("byte 2 is 0x00");
        assertThatThrownBy(() -> frames(Framing.jsonObjects(50), "{} {\"a\""))
                .hasStackTraceContaining("inside the JSON object at byte 3");
        assertThatThrownBy(() -> frames(Framing.jsonObjects(50), "[{}")).hasStackTraceContaining("inside an array");
        assertThatThrownBy(() -> frames(Framing.jsonObjects(5), "  {\"abc\":1}"))
                .hasStackTraceContaining("the JSON object at byte 2 has 9 bytes or more; at most 5");
    }

    @Test
    void badArgumentsAreRefusedWithTheirValue() {
        assertThatThrownBy(() -> Framing.lines(0)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> Framing.delimiter(new byte[0], 1)).hasMessageContaining("at least 1 byte, not 0");
        assertThatThrownBy(() -> Framing.lengthField(-1, 2, 9, ByteOrder.BIG_ENDIAN))
                .hasMessageContaining("not -1");
        Framing.lengthField(7, 2, 9, ByteOrder.BIG_ENDIAN);
        assertThatThrownBy(() -> Framing.lengthField(8, 2, 9, ByteOrder.BIG_ENDIAN))
                .hasMessageContaining("maxBytes = 9")
                .hasMessageContaining("at least 10");
        assertThatThrownBy(() -> Framing.lengthField(Integer.MAX_VALUE, 4, 9, ByteOrder.BIG_ENDIAN))
                .hasMessageContaining("at least 2147483651");
        assertThatThrownBy(() -> Framing.lengthField(0, 5, 9, ByteOrder.BIG_ENDIAN))
                .hasMessageContaining("between 1 and 4, not 5");
        assertThatThrownBy(() -> Framing.jsonObjects(-3)).hasMessageContaining("not -3");
    }
}
