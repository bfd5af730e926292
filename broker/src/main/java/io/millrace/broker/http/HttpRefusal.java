package io.millrace.broker.http;

/** A request that is refused with a status of its own. */
public final class HttpRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** The reason is sent as it is. */
    public HttpRefusal(int status, String reason) {
        super(reason);
        this.status = status;
    }

    /** The same, with what led to it. */
    public HttpRefusal(int status, String reason, Throwable cause) {
        super(reason, cause);
        this.status = status;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }
}
