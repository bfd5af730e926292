package io.millrace.broker.protocol;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why connections were closed: for each address and kind the first few lines of an interval, and at its end the
 * number of further ones.
 *
 * <p><b>Threads</b>: any. <b>Shared</b>: {@code tallies}, under the monitor. <b>Proved by</b>: ComplaintsTest.
 */
final class Complaints implements AutoCloseable {
    /** Lines for one address and kind within an interval. */
    static final int MAX_LINES = 5;

    /** Tallies kept at a time; further addresses share one for each kind. */
    static final int MAX_TALLIES = 1_000;

    private static final String OTHERS = "other addresses";
    private static final Logger LOG = LoggerFactory.getLogger(Complaints.class);

    private final ScheduledExecutorService timer;
    private final long intervalNanos;
    private final Map<Key, Tally> tallies = new HashMap<>();

    /** What a connection was closed for. */
    enum Kind {
        /** Bytes that are no frame, or a command that is not allowed at this point. */
        BAD_INPUT("bad input"),
        /** The client was silent for too long. */
        SILENCE("silence"),
        /** The broker's own code failed. */
        FAILURE("failures"),
        /** The broker holds as much memory for clients as it may. */
        NO_ROOM("want of memory");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private record Key(String address, Kind kind) {}

    private static final class Tally {
        private int lines;
        private long leftOut;
    }

    /** The timer ends intervals, until it is stopped. */
    Complaints(ScheduledExecutorService timer, Duration interval) {
        this.timer = timer;
        intervalNanos = interval.toNanos();
    }

    void tell(SocketAddress peer, Kind kind, String text, @Nullable Throwable cause) {
        String address = peer instanceof InetSocketAddress inet ? inet.getHostString() : String.valueOf(peer);
        if (isToBeLogged(address, kind)) {
            LOG.warn("{}: connection closed: {}", peer, text, cause);
        }
    }

    /** Logs how many lines were left out so far. */
    @Override
    public void close() {
        Map<Key, Tally> left;
        synchronized (this) {
            left = Map.copyOf(tallies);
            tallies.clear();
        }
        left.forEach(Complaints::tellLeftOut);
    }

    private synchronized boolean isToBeLogged(String address, Kind kind) {
        Key key = new Key(address, kind);
        if (!tallies.containsKey(key) && tallies.size() >= MAX_TALLIES) {
            key = new Key(OTHERS, kind);
        }
        Tally tally = tallies.get(key);
        if (tally == null) {
            tally = new Tally();
            tallies.put(key, tally);
            endLater(key);
        }
        if (tally.lines < MAX_LINES) {
            tally.lines++;
            return true;
        }
        tally.leftOut++;
        return false;
    }

    private void endLater(Key key) {
        try {
            var unused = timer.schedule(() -> end(key), intervalNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the server ends, and with it this interval", e);
        }
    }

    private void end(Key key) {
        Tally ended;
        synchronized (this) {
            ended = tallies.remove(key);
        }
        if (ended != null) {
            tellLeftOut(key, ended);
        }
    }

    private static void tellLeftOut(Key key, Tally tally) {
        if (tally.leftOut > 0) {
            LOG.warn(
                    "{}: {} more connections closed for {}, each without a line of its own",
                    key.address(),
                    tally.leftOut,
                    key.kind().text);
        }
    }
}
