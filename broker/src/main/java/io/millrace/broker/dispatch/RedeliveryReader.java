package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches the bytes of the entries that wait to be sent again, in their order, a bounded number ahead. */
final class RedeliveryReader {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(RedeliveryReader.class);

    private final String subscription;
    private final TopicLog log;
    private final RedeliveryQueue queue;
    private final DispatcherIsland island;
    private final Queue<Entry> fetched = new ArrayDeque<>();
    private boolean reading;
    private int epoch;
    private double bytesPerEntry = 1024;

    RedeliveryReader(String subscription, TopicLog log, RedeliveryQueue queue, DispatcherIsland island) {
        this.subscription = subscription;
        this.log = log;
        this.queue = queue;
        this.island = island;
    }

    /** The first waiting entry, which the caller takes off the queue; null while it is being read. */
    @Nullable
    Entry poll(Selector selector) {
        Position first = queue.first();
        if (first == null || reading) {
            return null;
        }
        Entry entry = fetchedOrCached(first);
        if (entry == null) {
            read((int) Math.max(1, Math.min(selector.wantedMessages(), LogReader.MAX_ENTRIES)));
        } else {
            bytesPerEntry += (entry.data().readableBytes() - bytesPerEntry) / 8;
        }
        return entry;
    }

    /** Drops entries that were acknowledged while they were fetched. */
    void dropStale() {
        if (queue.isEmpty()) {
            drop();
        }
    }

    /** Drops what it holds; a read under way will find nobody. */
    void reset() {
        epoch++;
        reading = false;
        drop();
    }

    private @Nullable Entry fetchedOrCached(Position first) {
        while (!fetched.isEmpty()) {
            Entry next = fetched.remove();
            int order = next.position().compareTo(first);
            if (order == 0) {
                return next;
            }
            next.release();
            if (order > 0) {
                drop();
            }
        }
        return log.cached(first);
    }

    private void read(int wanted) {
        reading = true;
        int affordable = (int) Math.max(1, LogReader.MAX_BYTES / Math.max(1, bytesPerEntry));
        List<Position> positions = queue.first(Math.min(wanted, affordable));
        int asked = epoch;
        island.whenRead(log.read(positions), (found, failure) -> {
            if (asked == epoch) {
                arrived(positions, found, failure);
            } else {
                found.forEach(Entry::release);
            }
        });
    }

    private void arrived(List<Position> positions, List<Entry> found, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warn("{}: redelivery read failed, trying again in {}", subscription, RETRY, failure);
            int asked = epoch;
            island.later(() -> retry(asked), RETRY);
            return;
        }
        reading = false;
        fetched.addAll(found);
        forgetMissing(positions, found);
        island.requestTurn();
    }

    /** What the log left out was deleted meanwhile: it can never be sent again. */
    private void forgetMissing(List<Position> positions, List<Entry> found) {
        int next = 0;
        for (Position position : positions) {
            if (next < found.size() && found.get(next).position().equals(position)) {
                next++;
            } else {
                LOG.warn("{}: {} is gone from the log and is not sent again", subscription, position);
                queue.forget(position.ledgerId(), position.entryId());
            }
        }
    }

    private void retry(int asked) {
        if (asked == epoch) {
            reading = false;
            island.requestTurn();
        }
    }

    private void drop() {
        fetched.forEach(Entry::release);
        fetched.clear();
    }
}
