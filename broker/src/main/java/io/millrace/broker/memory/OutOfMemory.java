package io.millrace.broker.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Passes on a caught error that says that the heap is full: it goes to the process's handler of uncaught exceptions, if
 * there is one. After such an error a thread, stage or connection may have missed a step, so the process must not go
 * on. A lack of memory outside the heap is different: it fails one read, one publish or one connection.
 */
public final class OutOfMemory {
    private static final String OUTSIDE_THE_HEAP = "direct";

    private OutOfMemory() {}

    /**
     * Tells the process if the failure or its cause is a full heap. The search stops at an {@code IOException}, which
     * accounts for its own causes.
     */
    public static void tell(@Nullable Throwable failure) {
        Throwable next = failure;
        while (next != null && !(next instanceof IOException)) {
            if (next instanceof OutOfMemoryError error && isOfHeap(error)) {
                Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
                if (handler != null) {
                    handler.uncaughtException(Thread.currentThread(), error);
                }
                return;
            }
            next = next.getCause();
        }
    }

    private static boolean isOfHeap(OutOfMemoryError error) {
        String message = error.getMessage();
        return message == null || !message.contains(OUTSIDE_THE_HEAP);
    }
}
