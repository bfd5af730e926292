package io.millrace.junit;

/** What happens when a test class has left something open on the broker. */
public enum WhenLeftOpen {
    /** It is told by a warning in the log and an entry in the test report. */
    REPORT,
    /** The class fails. */
    FAIL,
    /** Nobody looks. */
    IGNORE
}
