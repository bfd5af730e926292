package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads entries of one extent of a ledger. A frame's head names its entry and has its own checksum, so the start is
 * found by bisecting bytes: there is no index to keep or to rebuild. For one thread.
 */
final class ExtentReader {
    private static final int WINDOW_BYTES = 16 * 1024;
    private static final int MAX_READ_BYTES = 1 << 20;
    private static final int MIN_READ_BYTES = 4 * 1024;

    private final DiskFile file;
    private final Path path;
    private final Ledger ledger;
    private final Extent extent;
    private final Frame frame;
    private final Damages damages;
    private final SalvageRead source;
    private long next;

    ExtentReader(EntryReader.Context context, DiskFile file, Path path, Ledger ledger, Extent extent) {
        this.file = file;
        this.path = path;
        this.ledger = ledger;
        this.extent = extent;
        this.frame = new Frame(context.salt());
        this.damages = context.damages();
        this.source = SalvageRead.of(context, file, ledger, path);
    }

    /**
     * The offset where the frame of the first entry at or after {@code entryId} starts, or an earlier offset if bytes
     * between are damaged.
     */
    long locate(long entryId) throws IOException {
        FrameWindow window = new FrameWindow(source, frame, extent.end(), WINDOW_BYTES);
        long low = extent.start();
        long high = extent.end();
        while (high - low > WINDOW_BYTES) {
            long middle = (low + high) >>> 1;
            long found = nextOfLedger(window, middle, high);
            if (found >= 0 && Frame.index(window.buffer(), window.index(found)) <= entryId) {
                low = found;
            } else {
                high = middle;
            }
        }
        while (window.headAt(low) && Frame.index(window.buffer(), window.index(low)) < entryId) {
            low += Frame.frameBytes(window.buffer(), window.index(low));
        }
        return low;
    }

    private long nextOfLedger(FrameWindow window, long from, long to) throws IOException {
        long found = window.nextHead(from, to);
        while (found >= 0 && !isOurs(window.buffer(), window.index(found))) {
            found = window.nextHead(found + 1, to);
        }
        return found;
    }

    private boolean isOurs(ByteBuffer buffer, int start) {
        return Frame.type(buffer, start) == Frame.ENTRY && Frame.id(buffer, start) == ledger.id;
    }

    /** The offset behind the last frame that was read. */
    long next() {
        return next;
    }

    /** Adds entries from {@code entryId} on, found at or behind {@code offset}: at least one if one is readable. */
    void read(long offset, long entryId, ReadLimits limits, ReadMemory memory, List<Entry> target) throws IOException {
        next = offset;
        int readBytes = estimate(limits);
        boolean tight = !memory.hasRoom(readBytes);
        if (tight) {
            readBytes = MIN_READ_BYTES;
        }
        while (target.isEmpty() && next < extent.end()) {
            int bytes = (int) Math.min(readBytes, extent.end() - next);
            ByteBuf buffer = memory.allocate(bytes);
            try {
                ByteBuffer view = buffer.nioBuffer(0, bytes);
                int count = source.read(view, next);
                view.flip();
                int needed = parse(buffer, view, entryId, tight ? limits.one() : limits, target);
                readBytes = Math.max(readBytes, needed);
                if (count < bytes && target.isEmpty()) {
                    damages.reportShort(path, file.size(), expectedEnd());
                    next = extent.end();
                }
            } finally {
                buffer.release();
            }
        }
    }

    /** The end of the ledger's last extent in this file. */
    private long expectedEnd() {
        long end = extent.end();
        for (Extent other : ledger.extents()) {
            end = other.fileNumber() == extent.fileNumber() ? Math.max(end, other.end()) : end;
        }
        return end;
    }

    private int estimate(ReadLimits limits) {
        long frameBytes = extent.bytes() / Math.max(1, extent.lastEntry() - extent.firstEntry() + 1);
        long wanted = Math.min((frameBytes + frameBytes / 8 + 1) * limits.maxEntries(), limits.maxBytes() + frameBytes);
        return (int) Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, wanted));
    }

    /** Moves {@code next} over what was read; returns how many bytes the frame it stopped at needs. */
    private int parse(ByteBuf buffer, ByteBuffer view, long entryId, ReadLimits limits, List<Entry> target) {
        int at = 0;
        int bytes = 0;
        int needed = 0;
        while (at < view.limit()
                && target.size() < limits.maxEntries()
                && (target.isEmpty() || bytes < limits.maxBytes())) {
            if (!isEntry(view, at)) {
                if (view.limit() - at < Frame.ENTRY_HEAD_BYTES && next + view.limit() < extent.end()) {
                    needed = Frame.ENTRY_HEAD_BYTES;
                    break;
                }
                at = skipDamage(view, at);
                continue;
            }
            int frameBytes = Frame.frameBytes(view, at);
            if (at + frameBytes > view.limit()) {
                needed = frameBytes;
                break;
            }
            if (!frame.isBodySound(view, at)) {
                damages.report(
                        path,
                        next + at,
                        "entry " + ledger.id + ":" + Frame.index(view, at) + " of topic " + ledger.topic.name()
                                + " does not match its checksum");
            } else if (Frame.index(view, at) >= entryId) {
                target.add(entry(buffer, view, at));
                bytes += Frame.bodyBytes(view, at);
            }
            at += frameBytes;
        }
        next += at;
        return needed;
    }

    /** Returns where the next entry starts or, if there is none, where a head may start that the view does not hold whole. */
    private int skipDamage(ByteBuffer view, int at) {
        damages.report(path, next + at, "no entry of topic " + ledger.topic.name() + " can be made out here");
        boolean isLast = next + view.limit() >= extent.end();
        int end = isLast ? view.limit() : view.limit() - Frame.ENTRY_HEAD_BYTES + 1;
        int found = at + 1;
        while (found < end && !isEntry(view, found)) {
            found++;
        }
        return found;
    }

    /** Whether the view holds an undamaged head of an entry of this ledger that ends within the extent. */
    private boolean isEntry(ByteBuffer view, int at) {
        return frame.isHead(view, at) && isOurs(view, at) && next + at + Frame.frameBytes(view, at) <= extent.end();
    }

    private Entry entry(ByteBuf buffer, ByteBuffer view, int at) {
        return new Entry(
                new Position(ledger.id, Frame.index(view, at)),
                Frame.entryHeader(view, at),
                buffer.retainedSlice(at + Frame.ENTRY_HEAD_BYTES, Frame.bodyBytes(view, at)));
    }
}
