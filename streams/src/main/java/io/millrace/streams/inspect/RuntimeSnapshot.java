package io.millrace.streams.inspect;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a runtime was running at one moment; finished streams are not in it.
 *
 * @param streams the running streams
 * @param droppedMessages how many messages to stages were dropped since the runtime began: because the stage had stopped,
 *     or because its mailbox was full
 */
public record RuntimeSnapshot(List<StreamSnapshot> streams, long droppedMessages) {
    /** All streams as lines of text: islands, stages, edges. */
    public String toText() {
        return streams.stream().map(StreamSnapshot::toText).collect(Collectors.joining());
    }

    /** All streams as one graph for Graphviz. */
    public String toDot() {
        return SnapshotDot.of(streams);
    }
}
