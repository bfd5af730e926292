package io.millrace.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What is printed to the console, in the file that is open; before one is, on the console itself.
 *
 * <p>Threads: one opens, shows and closes; any thread prints.
 * Shared: the open file, under the lock of this stream.
 */
final class CapturedOutput extends OutputStream {
    private static final int MAX_SHOWN_BYTES = 256 << 10;

    private final Path folder;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final PrintStream capturing = new PrintStream(this, true, StandardCharsets.UTF_8);
    private @Nullable Path path;
    private @Nullable RandomAccessFile file;

    CapturedOutput(Path folder) {
        this.folder = folder;
        System.setOut(capturing);
        System.setErr(capturing);
    }

    /** Takes what is printed from now on to an empty file of this name. */
    synchronized void open(String name) throws IOException {
        closeFile();
        Files.createDirectories(folder);
        path = folder.resolve(name + ".txt");
        Files.deleteIfExists(path);
        file = new RandomAccessFile(path.toFile(), "rw");
    }

    void println(String line) {
        capturing.println(line);
    }

    synchronized long writtenBytes() {
        try {
            return file == null ? 0 : file.getFilePointer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
        if (file == null) {
            out.write(bytes, offset, count);
        } else {
            file.write(bytes, offset, count);
        }
    }

    /** Prints a failure to the console and the file, and to the console what the file has from that byte on, or the end of it. */
    void show(String title, String failure, long beginBytes) {
        long endBytes = writtenBytes();
        long fromBytes = Math.max(beginBytes, endBytes - MAX_SHOWN_BYTES);
        out.println(title);
        out.print(failure);
        if (path != null) {
            String printed = read(fromBytes, endBytes);
            String what = printed.isEmpty()
                    ? "it printed nothing"
                    : fromBytes == beginBytes ? "it printed" : "it printed at last";
            out.println("-- " + what + " (the whole class: " + path + ")");
            out.print(printed);
        }
        out.println("-- end of " + title);
        println(title);
        capturing.print(failure);
    }

    private synchronized String read(long fromBytes, long endBytes) {
        if (file == null) {
            return "";
        }
        try {
            byte[] bytes = new byte[(int) (endBytes - fromBytes)];
            long writtenBytes = file.getFilePointer();
            file.seek(fromBytes);
            file.readFully(bytes);
            file.seek(writtenBytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("what was printed cannot be read again from " + path, e);
        }
    }

    /** Gives the console back. */
    @Override
    public synchronized void close() {
        System.setOut(out);
        System.setErr(err);
        closeFile();
    }

    private void closeFile() {
        try {
            if (file != null) {
                file.close();
                file = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("what was printed cannot be stored in " + path, e);
        }
    }
}
