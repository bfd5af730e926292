package io.millrace.broker.schema;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest, by which contents are told apart. */
public record Digest(long first, long second, long third, long fourth) {
    static final int BYTES = 4 * Long.BYTES;

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static Digest of(MessageDigest digest) {
        return read(ByteBuffer.wrap(digest.digest()));
    }

    static Digest read(ByteBuffer from) {
        return new Digest(from.getLong(), from.getLong(), from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(first).putLong(second).putLong(third).putLong(fourth);
    }

    /** As 64 hexadecimal digits. */
    String hex() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(first) + hex.toHexDigits(second) + hex.toHexDigits(third) + hex.toHexDigits(fourth);
    }
}
