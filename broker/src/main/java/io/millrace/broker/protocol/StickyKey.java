package io.millrace.broker.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * The hash that keeps messages of one key together: Murmur3 (32 bits, x86 variant, seed 0, by Austin Appleby) of the
 * ordering key, else of the partition key, else of the producer's name and the sequence id; modulo 65536, and 1 in place
 * of 0, which stands for "none". So Pulsar counts the ranges that sticky consumers claim, and here the ring that others
 * share is of the same hashes. Holds a scratch buffer for one producer: single-threaded.
 */
final class StickyKey {
    private static final int LAST = 65_535;
    private static final int MAX_LONG_DIGITS = 20;
    private static final int C1 = 0xcc9e2d51;
    private static final int C2 = 0x1b873593;

    private final int prefixBytes;
    private final byte[] nameAndSequence;

    StickyKey(String producerName) {
        byte[] prefix = (producerName + "-").getBytes(StandardCharsets.UTF_8);
        prefixBytes = prefix.length;
        nameAndSequence = new byte[prefixBytes + MAX_LONG_DIGITS];
        System.arraycopy(prefix, 0, nameAndSequence, 0, prefixBytes);
    }

    /** The hash of a message, in 1..65535. */
    int hash(MetadataFields metadata) throws MalformedFrameException {
        if (metadata.orderingKey().isPresent()) {
            return hash(metadata.orderingKey());
        }
        if (!metadata.partitionKey().isPresent()) {
            return hash(nameAndSequence, 0, appendDigits(metadata.sequenceId()));
        }
        return metadata.isPartitionKeyBase64() ? hashDecoded(metadata.partitionKey()) : hash(metadata.partitionKey());
    }

    private static int hash(MetadataFields.KeyBytes key) {
        return hash(key.in(), key.at(), key.count());
    }

    private static int hashDecoded(MetadataFields.KeyBytes key) throws MalformedFrameException {
        byte[] encoded = Arrays.copyOfRange(key.in(), key.at(), key.at() + key.count());
        try {
            byte[] decoded = Base64.getDecoder().decode(encoded);
            return hash(decoded, 0, decoded.length);
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException("a partition key that is said to be Base64 is not", e);
        }
    }

    /** The hash of the key at that place, in 1..65535. */
    static int hash(byte[] bytes, int at, int length) {
        return Math.max(1, murmur3(bytes, at, length) & LAST);
    }

    /** Writes the sequence id behind the prefix; returns the length of both. */
    private int appendDigits(long sequenceId) {
        if (sequenceId < 0) {
            byte[] digits = Long.toString(sequenceId).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(digits, 0, nameAndSequence, prefixBytes, digits.length);
            return prefixBytes + digits.length;
        }
        int digits = 1;
        for (long rest = sequenceId / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int end = prefixBytes + digits;
        long rest = sequenceId;
        for (int i = end - 1; i >= prefixBytes; i--) {
            nameAndSequence[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }

    static int murmur3(byte[] bytes, int at, int length) {
        int hash = 0;
        int tailAt = at + (length & ~3);
        for (int i = at; i < tailAt; i += 4) {
            int block = (bytes[i] & 0xff)
                    | (bytes[i + 1] & 0xff) << 8
                    | (bytes[i + 2] & 0xff) << 16
                    | (bytes[i + 3] & 0xff) << 24;
            hash = Integer.rotateLeft(hash ^ scramble(block), 13) * 5 + 0xe6546b64;
        }
        int tail = 0;
        for (int i = at + length - 1; i >= tailAt; i--) {
            tail = tail << 8 | (bytes[i] & 0xff);
        }
        hash ^= scramble(tail);
        hash ^= length;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int scramble(int block) {
        return Integer.rotateLeft(block * C1, 15) * C2;
    }
}
