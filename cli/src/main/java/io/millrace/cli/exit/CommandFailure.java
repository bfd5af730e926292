package io.millrace.cli.exit;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
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

    /** What a throwable says, or what it is where it says nothing; of a file, whose name is often all it says, also why. */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof NoSuchFileException) {
            return message + ": there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return message + ": permission denied";
        }
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
