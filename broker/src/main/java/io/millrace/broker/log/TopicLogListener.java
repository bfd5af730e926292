package io.millrace.broker.log;

/** Told the outcome of appended entries, on the journal writer's thread: must return at once and never throw. */
public interface TopicLogListener {
    /** Every entry up to and including this one is durable; once per journal group. */
    void durable(Position upTo);

    /** This entry and all after it in its ledger are not stored and never will be; later appends are not affected. */
    void refused(Position from, Throwable cause);

    /** Nothing after the last durable entry will ever be durable. */
    void failed(Throwable cause);
}
