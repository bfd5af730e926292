package io.millrace.broker.log;

/** Told the outcome of appended deltas, on the journal writer's thread: must return at once and never throw. */
public interface CursorLogListener {
    /** Every delta up to and including this number is durable; once per journal group. */
    void durable(long upToNumber);

    /** Nothing after the last durable delta will ever be durable. */
    void failed(Throwable cause);
}
