package io.millrace.streams.failure;

import org.jspecify.annotations.Nullable;

/** Bytes that cannot be decompressed: corrupt, incomplete, or expanding beyond what is allowed. */
public final class CompressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CompressionException(String message) {
        super(message);
    }

    public CompressionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
