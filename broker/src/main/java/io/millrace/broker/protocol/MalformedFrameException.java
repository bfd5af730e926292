package io.millrace.broker.protocol;

/** Bytes that are no frame of the protocol; their connection can no longer be read. */
final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedFrameException(String message) {
        super(message);
    }

    MalformedFrameException(String message, Throwable cause) {
        super(message, cause);
    }
}
