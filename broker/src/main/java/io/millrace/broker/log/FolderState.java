package io.millrace.broker.log;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a check of a data folder found: topics with what can be read of them, the names of the values beside them,
 * places that cannot be read, and entries that had a receipt and cannot be read.
 */
public record FolderState(List<Topic> topics, Set<String> values, List<Damage> damages, List<Lost> lost) {
    /** A topic: its readable entries, and each subscription's position up to which all is acknowledged. */
    public record Topic(String name, List<EntryRange> entries, Map<String, Position> subscriptions) {}

    /** Entries of a topic that cannot be read; an empty list of them means all of it. */
    public record Lost(String topic, List<EntryRange> entries) {}

    /** Whether everything that had a receipt can be read. */
    public boolean isSound() {
        return lost.isEmpty() && damages.stream().allMatch(Damage::isTornTail);
    }
}
