package io.millrace.streams;

import io.millrace.streams.engine.failure.Described;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * The bytes of a running stream as an input stream: reads wait for them. It holds one chunk, and one more is asked for.
 *
 * <p><b>Threads</b>: one at a time reads; any closes.<br>
 * <b>Owned</b>: {@code chunk}, by who reads.<br>
 * <b>Shared</b>: {@code isClosed}: written by who closes before the stream is cancelled, read after each wait.<br>
 * <b>States</b>: open -> closed, once.<br>
 * <b>Proved by</b>: InputStreamTest.
 */
final class ReadableBytes extends InputStream {
    private final PulledAhead<ByteBuffer> chunks;
    private ByteBuffer chunk = ByteBuffer.allocate(0);
    private volatile boolean isClosed;

    ReadableBytes(SinkQueue<ByteBuffer> queue) {
        chunks = new PulledAhead<>(queue, 1);
    }

    @Override
    public int read() throws IOException {
        ensureOpen();
        return hasBytes() ? chunk.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        ensureOpen();
        if (length == 0) {
            return 0;
        }
        if (!hasBytes()) {
            return -1;
        }
        int readBytes = Math.min(length, chunk.remaining());
        chunk.get(target, offset, readBytes);
        return readBytes;
    }

    @Override
    public int available() throws IOException {
        ensureOpen();
        while (!chunk.hasRemaining() && chunks.isThere()) {
            chunk = take().map(ByteBuffer::duplicate).orElse(chunk);
        }
        return chunk.remaining();
    }

    /** Waits for bytes; false at the end of the stream. */
    private boolean hasBytes() throws IOException {
        while (!chunk.hasRemaining()) {
            Optional<ByteBuffer> next = take();
            if (next.isEmpty()) {
                return false;
            }
            chunk = next.get().duplicate(); // others may have the same element
        }
        return true;
    }

    private Optional<ByteBuffer> take() throws IOException {
        try {
            Optional<ByteBuffer> taken = chunks.take();
            ensureOpen();
            return taken;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            ensureOpen();
            throw failed(e);
        }
    }

    private void ensureOpen() throws IOException {
        if (isClosed) {
            throw new IOException("this input stream is closed");
        }
    }

    /** Cancels the stream unless it has ended; a read that waits fails. */
    @Override
    public void close() {
        isClosed = true;
        chunks.cancel();
    }

    /** What a call that waited throws after an interrupt, which the thread keeps. */
    static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for a stream");
        interrupted.initCause(cause);
        return interrupted;
    }

    /** What a call throws when the stream has failed. */
    static IOException failed(ExecutionException failed) {
        Throwable failure = Objects.requireNonNullElse(failed.getCause(), failed);
        return new IOException("the stream has failed: " + Described.of(failure), failure);
    }
}
