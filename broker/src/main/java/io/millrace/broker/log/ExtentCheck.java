package io.millrace.broker.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads every frame of one extent and separates sound entries from lost ones. For one thread. */
final class ExtentCheck {
    private static final int WINDOW_BYTES = 1 << 20;

    /** Bytes of the file that hold nothing readable. */
    record Piece(long start, long end) {}

    private final List<Extent> sound = new ArrayList<>();
    private final List<EntryRange> lost = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final Ledger ledger;
    private final Extent extent;
    private long soundStart = -1;
    private long firstSound;
    private long expected;

    private ExtentCheck(Ledger ledger, Extent extent) {
        this.ledger = ledger;
        this.extent = extent;
        this.expected = extent.firstEntry();
    }

    /** Checks an extent of a file that is there. */
    static ExtentCheck run(EntryReader.Context context, Path path, DiskFile file, Ledger ledger, Extent extent)
            throws IOException {
        ExtentCheck check = new ExtentCheck(ledger, extent);
        long end = Math.min(extent.end(), file.size());
        SalvageRead source = SalvageRead.of(context, file, ledger, path);
        check.walk(context, path, new FrameWindow(source, new Frame(context.salt()), end, WINDOW_BYTES), end);
        return check;
    }

    /** The extent of a file that is missing. */
    static ExtentCheck missing(Ledger ledger, Extent extent) {
        ExtentCheck check = new ExtentCheck(ledger, extent);
        check.loseUpTo(extent.lastEntry());
        return check;
    }

    private void walk(EntryReader.Context context, Path path, FrameWindow window, long end) throws IOException {
        long at = extent.start();
        while (at < end) {
            boolean isHead = isOurs(window, at);
            if (isHead && window.bodySoundAt(at)) {
                long entryId = Frame.index(window.buffer(), window.index(at));
                if (entryId > expected) {
                    closeSound(at);
                    loseUpTo(entryId - 1);
                }
                if (soundStart < 0) {
                    soundStart = at;
                    firstSound = entryId;
                }
                expected = entryId + 1;
                at += Frame.frameBytes(window.buffer(), window.index(at));
                continue;
            }
            closeSound(at);
            long next =
                    isHead ? at + Frame.frameBytes(window.buffer(), window.index(at)) : nextOurs(window, at + 1, end);
            context.damages()
                    .report(
                            path,
                            at,
                            "no entry of topic " + ledger.topic.name() + " can be made out here; entry " + ledger.id
                                    + ":" + expected + " is expected");
            pieces.add(new Piece(at, next));
            at = next;
        }
        closeSound(end);
        loseUpTo(extent.lastEntry());
    }

    private boolean isOurs(FrameWindow window, long at) throws IOException {
        return window.headAt(at)
                && Frame.type(window.buffer(), window.index(at)) == Frame.ENTRY
                && Frame.id(window.buffer(), window.index(at)) == ledger.id;
    }

    private long nextOurs(FrameWindow window, long from, long end) throws IOException {
        long found = window.nextHead(from, end);
        while (found >= 0 && !isOurs(window, found)) {
            found = window.nextHead(found + 1, end);
        }
        return found < 0 ? end : found;
    }

    private void closeSound(long at) {
        if (soundStart >= 0) {
            sound.add(new Extent(extent.fileNumber(), soundStart, at, firstSound, expected - 1));
            soundStart = -1;
        }
    }

    private void loseUpTo(long entryId) {
        if (entryId >= expected) {
            lost.add(new EntryRange(ledger.id, expected, entryId));
            expected = entryId + 1;
        }
    }

    Extent extent() {
        return extent;
    }

    List<Extent> sound() {
        return sound;
    }

    List<EntryRange> lost() {
        return lost;
    }

    List<Piece> pieces() {
        return pieces;
    }
}
