package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a log read on its way to the island that asked; the one that claims its entries releases them. */
final class ReadResult {
    private final DispatcherContext.Arrival arrival;
    private final @Nullable Throwable failure;
    private List<Entry> entries;

    ReadResult(DispatcherContext.Arrival arrival, @Nullable List<Entry> entries, @Nullable Throwable failure) {
        this.arrival = arrival;
        this.entries = entries == null ? List.of() : entries;
        this.failure = failure;
    }

    void arrive() {
        arrival.arrived(claim(), failure);
    }

    void releaseUnclaimed() {
        claim().forEach(Entry::release);
    }

    private List<Entry> claim() {
        List<Entry> claimed = entries;
        entries = List.of();
        return claimed;
    }
}
