package io.millrace.streams.engine.failure;

import org.jspecify.annotations.Nullable;

/** What stands in a message for an object of the user's, whose own text may throw. */
public final class Described {
    private Described() {}

    /** Its text, or its class where it has none. */
    public static String of(@Nullable Object object) {
        try {
            return String.valueOf(object);
        } catch (Throwable ofText) {
            return (object == null ? "null" : object.getClass().getName()) + " (whose text could not be made: "
                    + ofText.getClass().getName() + ")";
        }
    }
}
