package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Finds virtual threads where the running JVM has them; they are final from release 21. */
final class VirtualThreads {
    private VirtualThreads() {}

    static boolean areThere() {
        return Runtime.version().feature() >= 21;
    }

    /** An executor with a new virtual thread per task; only where there are any. */
    static ExecutorService executor() {
        try {
            MethodHandle factory = MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
            return (ExecutorService) factory.invokeExact();
        } catch (Throwable missing) {
            throw new IllegalStateException("no virtual threads in " + Runtime.version(), missing);
        }
    }
}
