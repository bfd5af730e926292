package io.millrace.streams;

/**
 * Notes where operators are put together, so that failures and snapshots can say so; it walks the stack for each. Off
 * unless the system property {@code millrace.trace.assembly} is true when the first operator is added to a graph, so that
 * a graph that is built anew for each run pays nothing.
 */
final class AssemblyTrace {
    static final String PROPERTY = "millrace.trace.assembly";
    private static final String OWN_PACKAGE = "io.millrace.streams.";
    private static final StackWalker STACK = StackWalker.getInstance();

    private AssemblyTrace() {}

    /** Where an operator was put together: a class, a method, a file and a line. */
    record Site(String place) {}

    /** Read once, so that the compiler leaves out what is off. */
    private static final class Switch {
        private static final boolean ON = Boolean.getBoolean(PROPERTY);
    }

    static boolean isOn() {
        return Switch.ON;
    }

    /** The first caller outside the library. */
    static Site here() {
        return STACK.walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith(OWN_PACKAGE))
                .findFirst()
                .map(frame -> new Site(frame.toStackTraceElement().toString()))
                .orElse(new Site("an unknown place")));
    }
}
