package io.millrace.broker.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A read found no memory for its entries; it may be tried again when clients have taken what they were sent. */
public final class ReadMemoryException extends IOException {
    private static final long serialVersionUID = 1;

    ReadMemoryException(String message, @Nullable OutOfMemoryError cause) {
        super(message, cause);
    }

    /** Whether that failure, or one of its causes, is such an exception. */
    public static boolean isIn(@Nullable Throwable failure) {
        for (Throwable next = failure; next != null; next = next.getCause()) {
            if (next instanceof ReadMemoryException) {
                return true;
            }
        }
        return false;
    }
}
