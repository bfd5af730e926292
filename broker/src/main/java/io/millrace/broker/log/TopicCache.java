package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topic's part of the tail cache.
 *
 * <p><b>Threads</b>: the journal writer adds runs, the ledger writer removes the oldest, any thread looks up; all
 * under this object's monitor, so a slab cannot be freed between finding an entry and retaining it. <b>Shared</b>:
 * {@code runs}, ascending. <b>Proved by</b>: CatchUpTest.
 */
final class TopicCache {
    private static final CacheRun[] NONE = {};

    private @Nullable CacheRun[] runs = NONE;
    private int first;
    private int end;

    synchronized void add(CacheRun run) {
        if (end == runs.length) {
            int live = end - first;
            @Nullable
            CacheRun[] moved = live * 2 <= runs.length && live > 0 ? runs : new CacheRun[Math.max(2, live * 2)];
            System.arraycopy(runs, first, moved, 0, live);
            Arrays.fill(moved, live, moved.length, null);
            runs = moved;
            first = 0;
            end = live;
        }
        runs[end++] = run;
    }

    /** Drops that run and all before it. */
    synchronized void removeUpTo(CacheRun run) {
        int at = first;
        while (at < end && runs[at] != run) {
            at++;
        }
        if (at == end) {
            return;
        }
        Arrays.fill(runs, first, at + 1, null);
        first = at + 1;
        if (first == end) {
            runs = NONE;
            first = 0;
            end = 0;
        }
    }

    synchronized @Nullable Entry find(long ledgerId, long entryId) {
        CacheRun run = runOf(ledgerId, entryId);
        return run == null ? null : entry(run, (int) (entryId - run.firstEntry));
    }

    /** Adds entries of one run, from this one on, within the limits; at least one if it is there. */
    synchronized void collect(long ledgerId, long entryId, int maxEntries, int maxBytes, List<Entry> target) {
        CacheRun run = runOf(ledgerId, entryId);
        if (run == null) {
            return;
        }
        int bytes = 0;
        int visible = run.visible();
        for (int n = (int) (entryId - run.firstEntry); n < visible && target.size() < maxEntries; n++) {
            bytes += Frame.bodyBytes(run.slab.reading(), run.offset(n));
            if (bytes > maxBytes && !target.isEmpty()) {
                return;
            }
            target.add(entry(run, n));
        }
    }

    /** The first cached entry of that ledger at or after this one, or {@link Long#MAX_VALUE}. */
    synchronized long firstAtOrAfter(long ledgerId, long entryId) {
        for (int i = first; i < end; i++) {
            CacheRun run = live(i);
            if (run.ledger.id == ledgerId && entryId - run.firstEntry < run.visible()) {
                return Math.max(entryId, run.firstEntry);
            }
        }
        return Long.MAX_VALUE;
    }

    private @Nullable CacheRun runOf(long ledgerId, long entryId) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            CacheRun run = live(middle);
            if (Position.compare(run.ledger.id, run.firstEntry, ledgerId, entryId) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == first) {
            return null;
        }
        CacheRun run = live(low - 1);
        return run.ledger.id == ledgerId && entryId - run.firstEntry < run.visible() ? run : null;
    }

    private CacheRun live(int index) {
        return java.util.Objects.requireNonNull(runs[index]);
    }

    private static Entry entry(CacheRun run, int n) {
        int offset = run.offset(n);
        ByteBuffer frame = run.slab.reading();
        return new Entry(
                new Position(run.ledger.id, run.firstEntry + n),
                Frame.entryHeader(frame, offset),
                run.slab.bytes.retainedSlice(offset + Frame.ENTRY_HEAD_BYTES, Frame.bodyBytes(frame, offset)));
    }
}
