package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/** The log takes no writes now; the message says why, and whether it will take them later. */
public final class LogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
