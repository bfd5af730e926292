package io.millrace.streams.engine.failure;

import org.jspecify.annotations.Nullable;

/**
 * A null where an element has to be, or what an operator makes elements of. The message says where it came up, what gave it, and
 * what to do; the operator's whole path is known only once the failure has reached the operator's stage.
 */
public final class NullElementException extends NullPointerException {
    private static final long serialVersionUID = 1L;

    private final String operator;
    private final String what;
    private final String advice;
    private volatile @Nullable String path;

    /**
     * @param operator its name; empty if it is not known here
     * @param what what gave null, as a sentence: "the function returned null"
     */
    public NullElementException(String operator, String what) {
        this(operator, what, "");
    }

    private NullElementException(String operator, String what, String advice) {
        this.operator = operator;
        this.what = what;
        this.advice = advice;
    }

    /** Of a future that completed with null, as those do that have no value. */
    public static NullElementException ofFuture(String operator) {
        return new NullElementException(
                operator,
                "the future completed with null",
                "; for a future without a value use thenApply(v -> element), or Sink.foreachAsync");
    }

    /** The first path counts: it is where the null came up. */
    public static void locate(Throwable failure, String path) {
        if (failure instanceof NullElementException missing && missing.path == null) {
            missing.path = path;
        }
    }

    @Override
    public String getMessage() {
        String known = path;
        String place = known == null ? operator : known;
        return (place.isEmpty() ? "" : place + ": ") + what
                + ", and null is no element: leave it out, or stand an Optional in for it" + advice;
    }
}
