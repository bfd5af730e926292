package io.millrace.streams.schedule;

import java.time.Duration;
import java.util.List;

/**
 * A call that has been seen to block a thread whose tasks must not.
 *
 * @param thread its name
 * @param state how it waits
 * @param atLeast how long the detector has seen it there
 * @param site the innermost frame outside the JDK
 * @param stack the whole stack, innermost frame first
 */
public record BlockingCall(
        String thread, Thread.State state, Duration atLeast, StackTraceElement site, List<StackTraceElement> stack) {
    /** Copies the stack. */
    public BlockingCall {
        stack = List.copyOf(stack);
    }

    /** What is wrong and what to do. */
    @Override
    public String toString() {
        return thread + " must not block, but is " + state + " for at least " + atLeast + " at " + site
                + ": move the call to Schedulers.elastic(), to a future under mapAsync, or to a stage with"
                + " Attributes.blocking()";
    }
}
