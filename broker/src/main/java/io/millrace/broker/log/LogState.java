package io.millrace.broker.log;

/** What the log takes: OPEN everything, FULL cursor deltas only until space returns, FAILED and CLOSED nothing. */
public enum LogState {
    OPEN,
    FULL,
    FAILED,
    CLOSED
}
