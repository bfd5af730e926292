package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.Suppressed;
import org.jspecify.annotations.Nullable;

/** The first of several failures, which carries those that come later as suppressed ones. Belongs to one stage. */
final class FirstFailure {
    private @Nullable Throwable failure;

    void add(Throwable next) {
        Throwable first = failure;
        if (first == null) {
            failure = next;
        } else {
            Suppressed.add(next, first);
        }
    }

    @Nullable
    Throwable failure() {
        return failure;
    }
}
