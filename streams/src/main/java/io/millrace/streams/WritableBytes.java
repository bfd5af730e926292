package io.millrace.streams;

import io.millrace.streams.SourceQueue.Offer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * An output stream whose bytes a running stream emits, gathered to chunks; who writes waits while the queue has no room for one.
 *
 * <p><b>Threads</b>: one at a time calls.<br>
 * <b>Owned</b>: all but the queue.<br>
 * <b>Shared</b>: the queue.<br>
 * <b>States</b>: open -> closed, once.<br>
 * <b>Proved by</b>: OutputStreamTest.
 */
final class WritableBytes extends OutputStream {
    /** So many chunks wait in the queue. */
    static final int MOST_CHUNKS = 4;

    private final SourceQueue<ByteBuffer> queue;
    private final byte[] gathered;
    private int gatheredBytes;
    /** What becomes of the chunk before: after an interrupt it still waits for room. */
    private CompletionStage<Offer> handed = CompletableFuture.completedFuture(Offer.ENQUEUED);

    private boolean isClosed;

    WritableBytes(SourceQueue<ByteBuffer> queue, int chunkBytes) {
        this.queue = queue;
        gathered = new byte[chunkBytes];
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        ensureOpen();
        int written = 0;
        try {
            handIfFull();
            while (written < length) {
                int part = Math.min(length - written, gathered.length - gatheredBytes);
                System.arraycopy(bytes, offset + written, gathered, gatheredBytes, part);
                gatheredBytes += part;
                written += part;
                handIfFull();
            }
        } catch (InterruptedIOException e) {
            e.bytesTransferred = written;
            throw e;
        }
    }

    private void handIfFull() throws IOException {
        if (gatheredBytes == gathered.length) {
            hand();
        }
    }

    @Override
    public void flush() throws IOException {
        if (!isClosed) {
            ensureOpen();
            if (gatheredBytes > 0) {
                hand();
            }
        }
    }

    /** Hands on what is gathered, and waits until the queue has it. */
    private void hand() throws IOException {
        awaitRoom();
        offer();
        awaitRoom();
    }

    private void offer() {
        handed = queue.offerAsync(ByteBuffer.wrap(Arrays.copyOf(gathered, gatheredBytes)));
        gatheredBytes = 0;
    }

    private void awaitRoom() throws IOException {
        if (await(handed) == Offer.CLOSED) {
            throw ended();
        }
    }

    private void ensureOpen() throws IOException {
        if (isClosed) {
            throw new IOException("this output stream is closed");
        }
        if (queue.isClosed()) {
            throw ended();
        }
    }

    /** Why the stream takes no more. */
    private IOException ended() throws IOException {
        await(queue.completion());
        return new IOException("the stream was cancelled: it takes no more bytes");
    }

    private static <T> T await(CompletionStage<T> future) throws IOException {
        try {
            return future.toCompletableFuture().get();
        } catch (InterruptedException e) {
            throw ReadableBytes.interrupted(e);
        } catch (ExecutionException e) {
            throw ReadableBytes.failed(e);
        }
    }

    /** Completes the stream behind what was written, for which it does not wait; fails if the last of that is not taken. */
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (gatheredBytes > 0) {
            offer();
        }
        boolean isLost = handed.toCompletableFuture().getNow(Offer.ENQUEUED) == Offer.CLOSED;
        queue.complete();
        if (isLost) {
            throw ended();
        }
    }
}
