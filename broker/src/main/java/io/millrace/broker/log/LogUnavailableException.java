package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * The log takes no writes now: {@link #state()} says whether it will take them later (FULL) or not (FAILED, CLOSED).
 */
public final class LogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final LogState state;

    LogUnavailableException(LogState state, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.state = state;
    }

    public LogState state() {
        return state;
    }
}
