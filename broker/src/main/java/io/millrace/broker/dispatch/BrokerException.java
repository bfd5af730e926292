package io.millrace.broker.dispatch;

/** A refused request: what was wrong with which value, and its kind for the protocol. */
public final class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    /** A refusal whose message is sent to the client as it is. */
    public BrokerException(ErrorKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** A refusal that was caused by another failure, kept for the broker's own log. */
    public BrokerException(ErrorKind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The kind that the protocol translates. */
    public ErrorKind kind() {
        return kind;
    }
}
