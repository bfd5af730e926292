package io.millrace.broker.http;

import io.millrace.broker.memory.OutOfMemory;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the pieces of one body, each when the one before is written. If one fails or does not come in time, the connection is closed
 * in the midst of the body, as its status was sent long ago. Owned by the event loop.
 */
final class PieceWriter {
    private static final Logger LOG = LoggerFactory.getLogger(PieceWriter.class);

    private final ChannelHandlerContext context;
    private final Pieces pieces;
    private final Duration limit;
    private final Runnable written;

    /**
     * @param limit for each piece to come
     * @param written runs when the last is written
     */
    PieceWriter(ChannelHandlerContext context, Pieces pieces, Duration limit, Runnable written) {
        this.context = context;
        this.pieces = pieces;
        this.limit = limit;
        this.written = written;
    }

    void next() {
        var unused = asked().toCompletableFuture()
                .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((piece, failure) -> execute(context, () -> send(piece, failure)));
    }

    /** Runs a task on the connection's event loop; what it throws is the connection's failure. */
    static void execute(ChannelHandlerContext context, Runnable task) {
        context.executor().execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                context.pipeline().fireExceptionCaught(e);
            }
        });
    }

    private CompletionStage<Pieces.@Nullable Piece> asked() {
        try {
            return pieces.next();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void send(Pieces.@Nullable Piece piece, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
        } else if (piece == null) {
            context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(sent -> then(sent, written));
        } else {
            send(piece);
        }
    }

    private void send(Pieces.Piece piece) {
        byte[] bytes;
        try {
            bytes = piece.bytes();
        } catch (RuntimeException e) {
            fail(e);
            return;
        }
        context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
                .addListener(sent -> then(sent, this::next));
    }

    private void fail(Throwable failure) {
        OutOfMemory.tell(failure);
        LOG.warn("an answer over HTTP cannot be sent to its end", failure);
        var unused = context.close();
    }

    private void then(Future<?> sent, Runnable step) {
        if (sent.isSuccess()) {
            step.run();
        } else {
            var unused = context.close();
        }
    }
}
