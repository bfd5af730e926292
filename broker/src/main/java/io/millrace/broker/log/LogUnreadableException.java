package io.millrace.broker.log;

/** The requested data are damaged on disk: the message names file, byte and what was expected there. */
public final class LogUnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogUnreadableException(String message) {
        super(message);
    }
}
