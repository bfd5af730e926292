package io.millrace.benchmarks.schedule;

import org.jspecify.annotations.Nullable;

/** Checks that a run of numbers from zero has got to its end. */
final class LastElement {
    private LastElement() {}

    static int checked(@Nullable Integer last, int elements) {
        if (last == null || last != elements - 1) {
            throw new IllegalStateException("the last of " + elements + " numbers was " + last);
        }
        return last;
    }
}
