package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.netty.util.concurrent.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a client that is in the way of another whether it lives: by a PING, and by the end of its connection where no sign
 * of life comes in time. Who asks while an answer is due shares it. Owned by the event loop.
 */
final class LivenessCheck {
    private static final long ANSWER_SECONDS = 5;

    private final Connection connection;
    private @Nullable CompletableFuture<Boolean> due;
    private @Nullable Future<?> timer;
    private long pendingBytes;

    LivenessCheck(Connection connection) {
        this.connection = connection;
    }

    /** Whether the client lives; if not, its connection is closed by then. */
    CompletionStage<Boolean> ask() {
        CompletableFuture<Boolean> asked = due;
        if (asked != null) {
            return asked;
        }
        if (!connection.channel().isActive()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        due = answer;
        BaseCommand ping = connection.replies().command(BaseCommand.Type.PING);
        ping.setPing();
        connection.replies().send(ping);
        pendingBytes = connection.pendingOutputBytes();
        timer = connection.channel().eventLoop().schedule(this::timeOut, ANSWER_SECONDS, TimeUnit.SECONDS);
        return answer;
    }

    void signOfLife() {
        answer(true);
    }

    /** The connection is gone. */
    void gone() {
        answer(false);
    }

    /** No answer counts for a client that is not read, as long as that is not its own doing. */
    private void timeOut() {
        boolean isHeldUp = connection.gate().waitsForBroker() || connection.pendingOutputBytes() < pendingBytes;
        if (!isHeldUp) {
            connection.abort(
                    "another client needs what it holds, and it did not answer a PING for " + ANSWER_SECONDS + " s");
        }
        answer(isHeldUp);
    }

    private void answer(boolean lives) {
        CompletableFuture<Boolean> asked = due;
        Future<?> running = timer;
        due = null;
        timer = null;
        if (running != null) {
            running.cancel(false);
        }
        if (asked != null) {
            asked.complete(lives);
        }
    }
}
