package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * A topic whose part of the snapshot is damaged: every later snapshot keeps it byte for byte, so that no more of it is
 * lost, and its clients are refused; the name is null if it cannot be read.
 */
@SuppressWarnings("ArrayRecordComponent")
record UnreadableTopic(@Nullable String name, byte[] section, String why) {
    static final String ADVICE = "; see `millrace check`";

    /** The exception for requests for that topic. */
    LogUnreadableException refusal() {
        return new LogUnreadableException(
                name == null
                        ? "a topic's name cannot be read, so none is made until it is set aside: " + why + ADVICE
                        : "it cannot be read: " + why + ADVICE);
    }
}
