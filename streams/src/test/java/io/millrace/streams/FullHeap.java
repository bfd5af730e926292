package io.millrace.streams;

import org.jspecify.annotations.Nullable;

/** Fills the heap of a JVM of its own, to the last object of 24 bytes if its threads have no buffers. */
public final class FullHeap {
    private static final int LARGEST = 1 << 18;

    private static volatile Object @Nullable [] ballast;

    private FullHeap() {}

    public static void fill() {
        int length = LARGEST;
        while (length > 0) {
            try {
                Object[] more = new Object[length];
                more[0] = ballast;
                ballast = more;
            } catch (OutOfMemoryError full) {
                length /= 2;
            }
        }
    }

    public static void empty() {
        ballast = null;
    }
}
