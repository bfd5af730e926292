package io.millrace.streams;

import io.millrace.streams.failure.CompressionException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.operator.bytes.ByteCodecStage;
import io.millrace.streams.operator.bytes.DeflateCodec;
import io.millrace.streams.operator.bytes.InflateCodec;
import java.nio.ByteBuffer;

/**
 * Flows that compress and decompress bytes as they stream by, in chunks of up to 8 KiB, whatever the chunks that come;
 * these keep their position. Corrupt bytes fail with {@link CompressionException}, which says where.
 */
public final class Compression {
    /** How many bytes one compressed byte may become, unless said otherwise; a first MiB is always allowed. */
    public static final int DEFAULT_MAX_EXPANSION = 100;

    private Compression() {}

    /** Compresses to the format of gzip (RFC 1952): one member. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> gzip() {
        return Flow.fromGraph(new ByteCodecStage("gzip", DeflateCodec::gzip));
    }

    /** Compresses to the format of zlib (RFC 1950). */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> deflate() {
        return Flow.fromGraph(new ByteCodecStage("deflate", DeflateCodec::zlib));
    }

    /** Decompresses the format of gzip, any number of members, and checks their sums; expands up to 100 to 1. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> gunzip() {
        return gunzip(DEFAULT_MAX_EXPANSION);
    }

    /** As {@link #gunzip()}, failing where what comes out is more than so many times what went in, beyond a MiB. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> gunzip(int maxExpansion) {
        requireExpansion(maxExpansion);
        return Flow.fromGraph(new ByteCodecStage("gunzip", () -> InflateCodec.gzip(maxExpansion)));
    }

    /** Decompresses the format of zlib and checks its sum; expands up to 100 to 1. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> inflate() {
        return inflate(DEFAULT_MAX_EXPANSION);
    }

    /** As {@link #inflate()}, failing where what comes out is more than so many times what went in, beyond a MiB. */
    public static Flow<ByteBuffer, ByteBuffer, NotUsed> inflate(int maxExpansion) {
        requireExpansion(maxExpansion);
        return Flow.fromGraph(new ByteCodecStage("inflate", () -> InflateCodec.zlib(maxExpansion)));
    }

    private static void requireExpansion(int maxExpansion) {
        if (maxExpansion < 1) {
            throw new IllegalArgumentException("maxExpansion must be at least 1, not " + maxExpansion);
        }
    }
}
