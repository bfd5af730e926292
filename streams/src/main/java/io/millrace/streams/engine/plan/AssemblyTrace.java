package io.millrace.streams.engine.plan;

import io.millrace.streams.graph.Attributes;

/**
 * Notes where operators are put together, so that failures and snapshots can say so; it walks the stack for each. Off
 * unless the system property {@code millrace.trace.assembly} is true when the first operator is added to a graph, so that
 * a graph that is built anew for each run pays nothing.
 */
public final class AssemblyTrace {
    static final String PROPERTY = "millrace.trace.assembly";
    private static final String OWN_PACKAGE = "io.millrace.streams.";
    private static final StackWalker STACK = StackWalker.getInstance();

    private AssemblyTrace() {}

    /** Read once, so that the compiler leaves out what is off. */
    private static final class Switch {
        private static final boolean ON = Boolean.getBoolean(PROPERTY);
    }

    public static boolean isOn() {
        return Switch.ON;
    }

    /** The first caller outside the library. */
    static Attributes.AssemblySite here() {
        return STACK.walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith(OWN_PACKAGE))
                .findFirst()
                .map(frame ->
                        new Attributes.AssemblySite(frame.toStackTraceElement().toString()))
                .orElse(new Attributes.AssemblySite("an unknown place")));
    }
}
