package io.millrace.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Lines to carry: the package index of a Debian machine where there is one, else seeded ones of awkward kinds. */
final class InputLines {
    private static final int MIN_REAL_LINES = 20_000;
    private static final int LONG_LINE_BYTES = 100_000;

    private InputLines() {}

    /** What {@code apt-cache dumpavail} prints, or seeded lines where that is nothing or little. */
    static Path realOrSeeded(Path folder, long seed) throws Exception {
        Path file = folder.resolve("real.txt");
        try {
            Process apt = new ProcessBuilder("apt-cache", "dumpavail")
                    .redirectOutput(file.toFile())
                    .redirectError(Redirect.DISCARD)
                    .start();
            apt.waitFor();
        } catch (IOException e) {
            return seeded(folder, seed, 200_000);
        }
        try (var lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            if (lines.limit(MIN_REAL_LINES).count() == MIN_REAL_LINES) {
                return file;
            }
        }
        return seeded(folder, seed, 200_000);
    }

    /** Empty lines, lines of 100 KB, non-ASCII ones, bytes that are no UTF-8, carriage returns; no newline at the end. */
    static Path seeded(Path folder, long seed, int lines) throws IOException {
        Random random = new Random(seed);
        Path file = folder.resolve("seeded.txt");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < lines; i++) {
                if (i > 0) {
                    out.write('\n');
                }
                out.write(line(random, i));
            }
            out.write("the end".getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** All lines of a file, without their newlines. */
    static List<byte[]> read(Path file) throws IOException {
        List<byte[]> lines = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file);
                LineReader reader = new LineReader(in, Integer.MAX_VALUE / 2)) {
            for (byte[] line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static byte[] line(Random random, int number) {
        int kind = random.nextInt(4_000);
        if (kind == 0) {
            return ("x" + number)
                    .repeat(LONG_LINE_BYTES)
                    .substring(0, LONG_LINE_BYTES)
                    .getBytes(StandardCharsets.UTF_8);
        }
        return switch (kind % 10) {
            case 0 -> new byte[0];
            case 1 -> ("Mühle № " + number + " 水車 \uD83C\uDF0A").getBytes(StandardCharsets.UTF_8);
            case 2 -> new byte[] {(byte) 0xff, 0, (byte) number, (byte) 0xc3, '\r', '\t'};
            case 3 -> ("carriage return " + number + "\r").getBytes(StandardCharsets.UTF_8);
            default -> ("key" + number % 100 + " line " + number).getBytes(StandardCharsets.UTF_8);
        };
    }
}
