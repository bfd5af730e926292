package io.millrace.streams.fuzz;

import java.util.ArrayList;
import java.util.List;

/** What one run of the interpreter has met. */
final class Interpretation {
    final List<Failed> failures = new ArrayList<>();
    int pulls;
    private boolean isOpen;
    private boolean isDrained;

    /** Whether a failure may have overtaken elements, so that the outcome is open. */
    boolean isOpen() {
        return isOpen;
    }

    /** From here on the outcome is open. */
    void open() {
        isOpen = true;
    }

    /** Whether elements were taken that nobody may have asked for. */
    boolean isDrained() {
        return isDrained;
    }

    /** The same elements, all of them taken at once; a failure among them may overtake those before it. */
    Pull overtaking(Pull elements) {
        isDrained = true;
        List<Object> all = new ArrayList<>();
        try {
            for (Object element = elements.next(); element != null; element = elements.next()) {
                all.add(element);
            }
        } catch (Failed failed) {
            isOpen = true;
            Pull before = Pull.of(all.iterator());
            return () -> {
                Object element = before.next();
                if (element == null) {
                    throw failed;
                }
                return element;
            };
        }
        return Pull.of(all.iterator());
    }
}
