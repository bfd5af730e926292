package io.millrace.broker.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The device has no room for what was to be written; nothing else is wrong. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
