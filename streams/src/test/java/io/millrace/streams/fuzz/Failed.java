package io.millrace.streams.fuzz;

import org.jspecify.annotations.Nullable;

/** The failure of a stream in the interpreter. */
final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Throwable failure;
    private final @Nullable String step;

    /** What was thrown, and the name of the step that is to blame, or null if it came from outside. */
    Failed(Throwable failure, @Nullable String step) {
        super(failure);
        this.failure = failure;
        this.step = step;
    }

    Throwable failure() {
        return failure;
    }

    @Nullable
    String step() {
        return step;
    }
}
