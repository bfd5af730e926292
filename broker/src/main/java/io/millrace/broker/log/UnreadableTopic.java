package io.millrace.broker.log;

import org.jspecify.annotations.Nullable;

/**
 * A topic whose part of the snapshot is damaged: kept byte for byte in every later snapshot, so that nothing is lost
 * that can still be made out, and refused to its clients; the name is null where not even that is known.
 */
@SuppressWarnings("ArrayRecordComponent")
record UnreadableTopic(@Nullable String name, byte[] section, String why) {
    static final String ADVICE = "; see `millrace check`";

    /** What whoever asks for that topic is told. */
    LogUnreadableException refusal() {
        return new LogUnreadableException(
                name == null
                        ? "a topic's name cannot be read, so none is made until it is set aside: " + why + ADVICE
                        : "it cannot be read: " + why + ADVICE);
    }
}
