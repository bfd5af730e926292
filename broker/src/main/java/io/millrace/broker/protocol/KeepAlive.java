package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds connections whose client is gone. It sends a PING after an interval of silence and closes the connection nine
 * tenths of an interval later, without sending the rest. While the connection is not read, taking output counts as a
 * sign of life. It goes on while the connection closes, so that a client that takes nothing cannot keep it open. Owned
 * by the event loop.
 */
final class KeepAlive {
    private final Connection connection;
    private final long intervalNanos;
    private long lastSignNanos;
    private long lastPendingBytes;
    private boolean probed;
    private @Nullable Future<?> timer;

    KeepAlive(Connection connection, Duration interval) {
        this.connection = connection;
        intervalNanos = interval.toNanos();
    }

    void start() {
        lastSignNanos = System.nanoTime();
        schedule(intervalNanos);
    }

    void stop() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }

    void signOfLife() {
        lastSignNanos = System.nanoTime();
        probed = false;
    }

    private void check() {
        if (isWaiting()) {
            signOfLife();
        }
        long silentNanos = System.nanoTime() - lastSignNanos;
        long closeNanos = intervalNanos + intervalNanos / 10 * 9;
        if (silentNanos >= closeNanos && probed) {
            connection.abort("nothing heard for " + TimeUnit.NANOSECONDS.toMillis(silentNanos)
                    + " ms, not even an answer to a PING");
            return;
        }
        if (silentNanos >= intervalNanos && !probed) {
            probed = true;
            BaseCommand ping = connection.replies().command(BaseCommand.Type.PING);
            ping.setPing();
            connection.replies().send(ping);
        }
        schedule((probed ? Math.max(closeNanos - silentNanos, intervalNanos / 10) : intervalNanos - silentNanos));
    }

    /** Whether the broker itself does not read, or the client is still taking its output. */
    private boolean isWaiting() {
        long pendingBytes = connection.pendingOutputBytes();
        boolean takesOutput = pendingBytes < lastPendingBytes;
        lastPendingBytes = pendingBytes;
        return connection.gate().waitsForBroker() || (connection.gate().isShut() && takesOutput);
    }

    private void schedule(long delayNanos) {
        timer = connection.channel().eventLoop().schedule(this::check, delayNanos, TimeUnit.NANOSECONDS);
    }
}
