package io.millrace.docs.operators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Compression;
import io.millrace.streams.Framing;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/operators/io.md. */
class IoExamplesTest extends ExamplesTest {
    @TempDir
    Path folder;

    private static ByteBuffer bytes(String text) {
        return UTF_8.encode(text);
    }

    private static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes).toString();
    }

    @Test
    void lines() throws Exception {
        Path file = folder.resolve("rows");
        Files.writeString(file, "first\nsecond\n");
        // snippet: lines
        Source<String, NotUsed> rows = Source.fromPath(file)
                .via(Framing.lines(1_000))
                .map(line -> UTF_8.decode(line).toString());
        // end
        assertThat(all(rows)).containsExactly("first", "second");
    }

    @Test
    void delimiter() throws Exception {
        Source<ByteBuffer, NotUsed> chunks = Source.of(bytes("GET a|PU"), bytes("T b|"));
        // snippet: delimiter
        Source<String, NotUsed> commands =
                chunks.via(Framing.delimiter(new byte[] {'|'}, 1_000)).map(IoExamplesTest::text);
        // end
        assertThat(all(commands)).containsExactly("GET a", "PUT b");
    }

    @Test
    void lengthField() throws Exception {
        Source<ByteBuffer, NotUsed> chunks = Source.of(bytes("\0\2ab\0"), bytes("\1c"));
        // snippet: lengthField
        Source<String, NotUsed> frames = chunks.via(Framing.lengthField(0, 2, 1_000, ByteOrder.BIG_ENDIAN))
                .map(frame -> text(frame.position(2))); // behind the length
        // end
        assertThat(all(frames)).containsExactly("ab", "c");
    }

    @Test
    void jsonObjects() throws Exception {
        Source<ByteBuffer, NotUsed> chunks = Source.of(bytes("[{\"id\": 1}, {\"i"), bytes("d\": 2}]"));
        // snippet: jsonObjects
        Source<String, NotUsed> objects = chunks.via(Framing.jsonObjects(1_000)).map(IoExamplesTest::text);
        // end
        assertThat(all(objects)).containsExactly("{\"id\": 1}", "{\"id\": 2}");
    }

    @Test
    void gzip() throws Exception {
        Path file = folder.resolve("rows.gz");
        // snippet: gzip
        await(Source.of(bytes("some "), bytes("text")).via(Compression.gzip()).runWith(Sink.toPath(file), runtime));
        Source<ByteBuffer, NotUsed> read = Source.fromPath(file).via(Compression.gunzip());
        // end
        assertThat(all(read.map(IoExamplesTest::text))).containsExactly("some text");
    }

    @Test
    void deflate() throws Exception {
        // snippet: deflate
        Source<ByteBuffer, NotUsed> compressed =
                Source.of(bytes("some "), bytes("text")).via(Compression.deflate());
        Source<ByteBuffer, NotUsed> again = compressed.via(Compression.inflate(50)); // up to 50 bytes of one
        // end
        assertThat(all(again.map(IoExamplesTest::text))).isEqualTo(List.of("some text"));
    }
}
