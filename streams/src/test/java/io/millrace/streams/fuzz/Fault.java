package io.millrace.streams.fuzz;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a function fails, on elements of which the text has one hash of eleven.
 *
 * @param at that hash
 */
record Fault(Kind kind, int at) {
    static final Fault NONE = new Fault(Kind.NONE, 0);

    enum Kind {
        NONE,
        UNCHECKED,
        CHECKED,
        ERROR,
        NULL
    }

    static final List<Kind> THROWN = List.of(Kind.UNCHECKED, Kind.CHECKED, Kind.ERROR);

    /** A number from 0 on that depends on the text of the element alone. */
    static int hash(Object element, int modulus) {
        return Math.floorMod(Objects.toString(element).hashCode() * 31 + 7, modulus);
    }

    /** The value, or what it has been asked to do in its place. */
    <T> T of(String step, Object element, T value) throws Exception {
        if (kind != Kind.NONE && hash(element, 11) == at) {
            return instead(step, element);
        }
        return value;
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private <T> T instead(String step, Object element) throws Exception {
        String message = message(step, element);
        switch (kind) {
            case UNCHECKED -> throw new IllegalStateException(message);
            case CHECKED -> throw new IOException(message);
            case ERROR -> throw new AssertionError(message);
            default -> {
                @Nullable T missing = null;
                return missing;
            }
        }
    }

    static String message(String step, Object element) {
        return "boom of " + step + " on " + element;
    }

    /** The step that says so in its message, or an empty text. */
    static String stepOf(Throwable failure) {
        String message = failure.getMessage();
        return message == null || !message.startsWith("boom of ") ? "" : message.split(" ", 4)[2];
    }

    /** What a function for failures makes of one: the same whatever the library's own failures say. */
    static String told(Throwable failure) {
        return stepOf(failure).isEmpty() ? "failure" : String.valueOf(failure.getMessage());
    }

    String text(String step, String value) {
        return text(step, "x", value);
    }

    String text(String step, String element, String value) {
        return kind == Kind.NONE ? value : text() + ".of(\"" + step + "\", " + element + ", " + value + ")";
    }

    String text() {
        return "new Fault(Fault.Kind." + kind + ", " + at + ")";
    }
}
