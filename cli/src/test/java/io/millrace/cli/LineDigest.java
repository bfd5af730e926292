package io.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What lines were seen.
 *
 * @param ordered SHA-256 of all lines in their order, each ended by a newline
 * @param anyOrder sum of each line's SHA-256: equal for the same lines in any order, counting repetitions
 */
record LineDigest(long count, String ordered, String anyOrder) {
    static LineDigest of(Path... files) throws IOException {
        return of(List.of(files));
    }

    static LineDigest of(List<Path> files) throws IOException {
        MessageDigest all = sha256();
        MessageDigest one = sha256();
        BigInteger sum = BigInteger.ZERO;
        long count = 0;
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file);
                    LineReader reader = new LineReader(in, Integer.MAX_VALUE / 2)) {
                for (byte[] line = reader.next(); line != null; line = reader.next()) {
                    all.update(line);
                    all.update((byte) '\n');
                    sum = sum.add(new BigInteger(1, one.digest(line)));
                    count++;
                }
            }
        }
        return new LineDigest(count, HexFormat.of().formatHex(all.digest()), sum.toString(16));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
