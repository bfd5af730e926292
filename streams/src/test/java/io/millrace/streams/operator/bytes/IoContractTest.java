package io.millrace.streams.operator.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.streams.Compression;
import io.millrace.streams.Flow;
import io.millrace.streams.Framing;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.testkit.Operator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.DeflaterInputStream;
import java.util.zip.GZIPOutputStream;

/** Operators on bytes, seen as text where that is what they make. */
@Operator({
    "Framing.lines",
    "Framing.delimiter",
    "Framing.lengthField",
    "Framing.jsonObjects",
    "Compression.gzip",
    "Compression.gunzip",
    "Compression.deflate",
    "Compression.inflate"
})
final class IoContractTest extends FlowContract {
    @Override
    protected List<FlowCase<?, ?>> cases() {
        return List.of(
                FlowCase.of(
                        "Framing.lines",
                        () -> text(Framing.lines(10)),
                        chunks("a\nb", "c\n", "d"),
                        List.of("a", "bc", "d")),
                FlowCase.of(
                        "Framing.delimiter",
                        () -> text(Framing.delimiter(bytes("--"), 10)),
                        chunks("a--b-", "-", "c--"),
                        List.of("a", "b", "c")),
                FlowCase.of(
                        "Framing.lengthField",
                        () -> text(Framing.lengthField(1, 2, 10, ByteOrder.BIG_ENDIAN)),
                        chunks("x\0", "\2ab", "y\0\0"),
                        List.of("x\0\2ab", "y\0\0")),
                FlowCase.of(
                        "Framing.jsonObjects",
                        () -> text(Framing.jsonObjects(20)),
                        chunks("[{\"a\":", "\"}\"},{}", "]"),
                        List.of("{\"a\":\"}\"}", "{}")),
                FlowCase.of(
                                "Compression.gzip",
                                () -> size(Compression.gzip()),
                                chunks("aaaa", "aaaa"),
                                List.of(gzipped("aaaaaaaa").length))
                        .ofNothing(List.of(gzipped("").length)),
                FlowCase.of(
                        "Compression.gunzip",
                        () -> text(Compression.gunzip()),
                        List.of(ByteBuffer.wrap(gzipped("hello"))),
                        List.of("hello")),
                FlowCase.of(
                                "Compression.deflate",
                                () -> size(Compression.deflate()),
                                chunks("aaaa", "aaaa"),
                                List.of(deflated("aaaaaaaa").length))
                        .ofNothing(List.of(deflated("").length)),
                FlowCase.of(
                        "Compression.inflate",
                        () -> text(Flow.<ByteBuffer>create()
                                .defaultIfEmpty(ByteBuffer.wrap(deflated(""))) // no bytes at all are a failure
                                .via(Compression.inflate())),
                        List.of(ByteBuffer.wrap(deflated("hello"))),
                        List.of("hello")));
    }

    private static Flow<ByteBuffer, String, ?> text(Flow<ByteBuffer, ByteBuffer, ?> flow) {
        return flow.map(frame -> UTF_8.decode(frame).toString());
    }

    private static Flow<ByteBuffer, Integer, ?> size(Flow<ByteBuffer, ByteBuffer, ?> flow) {
        return flow.map(ByteBuffer::remaining);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static List<ByteBuffer> chunks(String... texts) {
        return List.of(texts).stream().map(text -> ByteBuffer.wrap(bytes(text))).toList();
    }

    private static byte[] gzipped(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return out.toByteArray();
    }

    private static byte[] deflated(String text) {
        try (DeflaterInputStream in = new DeflaterInputStream(new ByteArrayInputStream(bytes(text)))) {
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
