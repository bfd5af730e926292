package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * Whether the log takes writes.
 *
 * <p><b>Threads</b>: any. <b>Shared</b>: {@code state} and {@code cause}, written under this monitor, {@code state}
 * read as a volatile. <b>States</b>: OPEN -> FULL when the device is full, by either writer, of whom the journal writer
 * then wakes the ledger writer; FULL -> OPEN when there is room again, by the ledger writer; any -> FAILED on a failed
 * write or force; OPEN or FULL -> CLOSED by close.
 * <b>Proved by</b>: FullDiskTest, GroupCommitTest.
 */
final class LogStatus {
    static final String FULL_DISK = "The disk is full: nothing is stored until there is room again.";

    private volatile LogState state = LogState.OPEN;
    private @Nullable Throwable cause;

    LogState state() {
        return state;
    }

    boolean isFailed() {
        return state == LogState.FAILED;
    }

    synchronized boolean setFull(Throwable reason) {
        boolean changes = state == LogState.OPEN;
        if (changes) {
            state = LogState.FULL;
            cause = reason;
        }
        return changes;
    }

    synchronized boolean setRoom() {
        boolean changes = state == LogState.FULL;
        if (changes) {
            state = LogState.OPEN;
            cause = null;
        }
        return changes;
    }

    synchronized boolean setFailed(Throwable reason) {
        boolean changes = state != LogState.FAILED;
        if (changes) {
            state = LogState.FAILED;
            cause = reason;
        }
        return changes;
    }

    /** True for the first caller, which then closes the log. */
    synchronized boolean setClosed() {
        boolean changes = state == LogState.OPEN || state == LogState.FULL;
        if (changes) {
            state = LogState.CLOSED;
        }
        return changes;
    }

    /** Throws unless entries and new topics are taken. */
    void checkOpen() {
        if (state != LogState.OPEN) {
            throw unavailable();
        }
    }

    /** Throws unless cursor deltas are taken. */
    void checkDeltas() {
        if (!takesDeltas()) {
            throw unavailable();
        }
    }

    boolean takesDeltas() {
        LogState now = state;
        return now == LogState.OPEN || now == LogState.FULL;
    }

    synchronized LogUnavailableException unavailable() {
        String message = switch (state) {
            case FULL -> FULL_DISK;
            case FAILED -> "The log has failed and takes no more writes: look at its cause, then restart.";
            case CLOSED -> "The log is closed.";
            case OPEN -> "The log was unavailable for a moment: try again.";
        };
        return new LogUnavailableException(message, cause);
    }
}
