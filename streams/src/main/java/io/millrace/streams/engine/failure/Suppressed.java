package io.millrace.streams.engine.failure;

/** The failures that are suppressed in another. That may be one object for many streams, as a constant is, and must not grow for ever. */
public final class Suppressed {
    private static final int MOST = 100;

    private Suppressed() {}

    /** Adds a failure, unless it is there, or is the other itself, or the other has a hundred. */
    public static void add(Throwable failure, Throwable to) {
        Throwable[] others = to.getSuppressed();
        boolean isThere = failure == to || others.length >= MOST;
        for (Throwable other : others) {
            isThere |= other == failure;
        }
        if (!isThere) {
            to.addSuppressed(failure);
        }
    }
}
