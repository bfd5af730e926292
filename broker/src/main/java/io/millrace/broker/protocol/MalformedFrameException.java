package io.millrace.broker.protocol;

/** Bytes that are no frame of the protocol; the connection they came from cannot be read any further. */
final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedFrameException(String message) {
        super(message);
    }

    MalformedFrameException(String message, Throwable cause) {
        super(message, cause);
    }
}
