package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.netty.util.concurrent.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a client that is in conflict with another is alive: it sends a PING, and closes the connection if
 * there is no sign of life in time. Questions asked while an answer is due share that answer. Owned by the event loop.
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

    /** Whether the client is alive; if not, its connection is closed by then. */
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

    /** The connection has ended. */
    void gone() {
        answer(false);
    }

    /** While the broker itself does not read the client, a missing answer does not count. */
    private void timeOut() {
        boolean isHeldUp = connection.gate().waitsForBroker() || connection.pendingOutputBytes() < pendingBytes;
        if (!isHeldUp) {
            connection.abort("another client needs what it holds or waits for, and it did not answer a PING for "
                    + ANSWER_SECONDS + " s");
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
