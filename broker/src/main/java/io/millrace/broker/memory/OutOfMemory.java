package io.millrace.broker.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what was caught: an error that says that the heap is full goes to the handler that the process has for
 * uncaught ones, if it has any, as if nobody had caught it. A process that goes on after such an error has threads,
 * stages or connections that lack a step each. Memory outside the heap is another matter: who lacked it can do without,
 * and what fails for want of it is one read, publish or connection.
 */
public final class OutOfMemory {
    private static final String OUTSIDE_THE_HEAP = "direct";

    private OutOfMemory() {}

    /** Tells the process, if a full heap is the failure or its cause. An exception of input or output accounts for its causes itself. */
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
