package io.millrace.cli.exit;

import org.jspecify.annotations.Nullable;

/** A failure that its message explains in full, so that the command line prints that one line and no stack trace. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandFailure(String message, @Nullable Throwable cause) {
        this(ExitCode.FAILURE, message, cause);
    }

    public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    /** What a throwable says, or what it is where it says nothing. */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }

    /** What the innermost cause says: the client wraps each failure several times over. */
    public static String innermostReason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return reason(innermost);
    }
}
