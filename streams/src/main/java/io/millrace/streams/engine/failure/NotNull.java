package io.millrace.streams.engine.failure;

import org.jspecify.annotations.Nullable;

/** Tests for null where elements pass. They stand apart from the exception, as the virtual machine inlines no method of a Throwable. */
public final class NotNull {
    private NotNull() {}

    /**
     * The element, which must not be null.
     *
     * @param operator its name; empty if it is not known here
     * @param what what gave null, as a sentence
     */
    public static <O> O checked(@Nullable O element, String operator, String what) {
        if (element == null) {
            throw new NullElementException(operator, what);
        }
        return element;
    }
}
