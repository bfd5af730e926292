package io.millrace.broker.log;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal's groups in order and applies those that the snapshot does not hold. A group is only begun when the
 * one before it is durable. So damage with a newer group behind it lies in durable bytes: it is reported and skipped.
 * An incomplete group with nothing newer behind it is the torn tail. For recovery's thread.
 */
final class JournalReplay {
    /** This many bytes of a file are read at a time; in a small file, this share of it. */
    private static final int WINDOW_BYTES = 4 << 20;

    private static final int WINDOW_SHARE = 8;
    private static final int EPOCH_BITS = 40;

    /** The parts of a group. */
    private static final class Group {
        final Found in;
        final long epoch;
        final long start;
        /** The group before it. */
        final long after;

        final List<Long> offsets = new ArrayList<>();
        long end;
        boolean whole;
        boolean sound = true;

        Group(Found in, long epoch, long start, long after) {
            this.in = in;
            this.epoch = epoch;
            this.start = start;
            this.after = after;
        }
    }

    /** A journal file as found: its window, the first group in it, and where its last whole group ends. */
    static final class Found {
        final JournalFile journal;
        final FrameWindow window;
        final long firstEpoch;
        /** Whether its first group is its first frame; else that frame is damaged, or belongs to lost groups. */
        final boolean beginsWithGroup;

        Found(JournalFile journal, FrameWindow window, long firstEpoch, boolean beginsWithGroup) {
            this.journal = journal;
            this.window = window;
            this.firstEpoch = firstEpoch;
            this.beginsWithGroup = beginsWithGroup;
        }
    }

    /** Applies durable frames. */
    interface Target {
        void entry(ByteBuffer frame, int start);

        void record(byte type, long id, long index, byte[] body);

        void groupEnd(long epoch) throws IOException;

        /** This part of the file is a group that was never complete: nothing after it counts. */
        void torn(JournalFile file, long start, long end) throws IOException;
    }

    private final Damages damages;
    private final Target target;
    private final long snapshotEpoch;
    private long lastEpoch;
    /** The last group that was accepted; remains of lost groups do not count. */
    private long sequence;

    private @Nullable Group group;
    private @Nullable Group leftover;
    private boolean torn;

    JournalReplay(Damages damages, Target target, long snapshotEpoch) {
        this.damages = damages;
        this.target = target;
        this.snapshotEpoch = snapshotEpoch;
        this.lastEpoch = snapshotEpoch;
        this.sequence = snapshotEpoch;
    }

    static Found find(JournalFile journal, Frame frame) throws IOException {
        FrameWindow window = new FrameWindow(journal.file::read, frame, journal.capacity, (int)
                Math.min(WINDOW_BYTES, journal.capacity / WINDOW_SHARE));
        long first = window.headAt(0) || !window.startsEmpty() ? window.nextHead(0, journal.capacity) : -1;
        long epoch = first < 0 ? -1 : Frame.epoch(window.buffer(), window.index(first));
        return new Found(journal, window, epoch, first == 0);
    }

    /** The first epoch that no group has used: a restart begins a new series. */
    long nextEpoch() {
        return ((lastEpoch >>> EPOCH_BITS) + 1) << EPOCH_BITS;
    }

    boolean isTorn() {
        return torn;
    }

    /** Replays these files, which are in the order of their first groups. */
    void replay(List<Found> files) throws IOException {
        for (Found file : files) {
            walk(file);
        }
        Group last = group;
        group = null;
        if (last != null) {
            if (last.whole && last.sound) {
                apply(last);
            } else {
                truncate(last);
            }
        }
    }

    private void walk(Found file) throws IOException {
        long at = 0;
        long fileEpoch = 0;
        while (true) {
            long found = nextAtLeast(file, at, fileEpoch);
            if (found < 0) {
                break;
            }
            fileEpoch = Frame.epoch(file.window.buffer(), file.window.index(found));
            int frameBytes = Frame.frameBytes(file.window.buffer(), file.window.index(found));
            if (fileEpoch > snapshotEpoch) {
                accept(file, fileEpoch, at, found);
            } else {
                file.journal.end = found + frameBytes;
                file.journal.lastEpoch = fileEpoch;
            }
            at = found + frameBytes;
        }
    }

    private static long nextAtLeast(Found file, long from, long epoch) throws IOException {
        long found = file.window.headAt(from) ? from : file.window.nextHead(from, file.journal.capacity);
        while (found >= 0 && Frame.epoch(file.window.buffer(), file.window.index(found)) < epoch) {
            found = file.window.nextHead(found + 1, file.journal.capacity);
        }
        return found;
    }

    /** Adds the frame at {@code found} to its group; nothing between {@code from} and it could be read. */
    private void accept(Found file, long epoch, long from, long found) throws IOException {
        if (isLeftover(file, epoch, from, found)) {
            return;
        }
        Group current = group;
        if (current == null || current.epoch != epoch) {
            if (current != null) {
                applyDurable(current);
            }
            current = new Group(file, epoch, from, sequence);
            sequence = epoch;
            group = current;
            lastEpoch = Math.max(lastEpoch, epoch);
        }
        if (current.whole) {
            // Remains of a group of an earlier run that was lost as a whole, so its number was used again.
            return;
        }
        if (from != found) {
            current.sound = false;
        }
        boolean bodySound = file.window.bodySoundAt(found);
        ByteBuffer buffer = file.window.buffer();
        int start = file.window.index(found);
        if (Frame.type(buffer, start) == Frame.COMMIT) {
            current.whole = Frame.id(buffer, start) == current.offsets.size()
                    && Frame.index(buffer, start) == found - current.start;
        } else if (bodySound) {
            current.offsets.add(found);
        } else {
            current.sound = false;
        }
        current.end = found + Frame.frameBytes(buffer, start);
    }

    /**
     * Group numbers ascend. But the first group written to a reused file may be lost except for some of its sectors,
     * which then lie among older frames. So where the numbers would descend, the group that does not begin where the
     * one before it ended is such a leftover. The other one is kept.
     */
    private boolean isLeftover(Found file, long epoch, long from, long found) {
        Group left = leftover;
        if (left != null && left.in == file && left.epoch == epoch) {
            return true;
        }
        Group current = group;
        if (current == null || epoch >= current.epoch) {
            return false;
        }
        if (from == found) {
            leftover = current;
            group = null;
            sequence = current.after;
            return false;
        }
        leftover = new Group(file, epoch, found, sequence);
        return true;
    }

    /** Reports what is missing between this group and the one before it. */
    private void checkSequence(Group durable) {
        long epoch = durable.epoch;
        long before = durable.after;
        boolean isFirst = (epoch & ((1L << EPOCH_BITS) - 1)) <= 1;
        if (epoch == before + 1 || (epoch >>> EPOCH_BITS != before >>> EPOCH_BITS && isFirst)) {
            return;
        }
        durable.in.journal.damaged = true;
        damages.report(
                durable.in.journal.path,
                durable.start,
                "group " + (before + 1) + " is expected here, but this is group " + epoch
                        + ": those between are missing, as a file of the journal is, or was copied while it was written");
    }

    private void applyDurable(Group durable) throws IOException {
        if (!durable.whole || !durable.sound) {
            damages.report(
                    durable.in.journal.path,
                    durable.start,
                    "group " + durable.epoch + " is damaged; " + durable.offsets.size()
                            + " of its records are readable");
            durable.in.journal.damaged = true;
        }
        apply(durable);
    }

    private void apply(Group durable) throws IOException {
        checkSequence(durable);
        FrameWindow window = durable.in.window;
        for (long offset : durable.offsets) {
            if (!window.frameAt(offset)) {
                throw new IOException(durable.in.journal.path + " changed while it was read, at byte " + offset);
            }
            ByteBuffer buffer = window.buffer();
            int start = window.index(offset);
            if (Frame.type(buffer, start) == Frame.ENTRY) {
                target.entry(buffer, start);
            } else {
                applyRecord(durable.in.journal, offset, buffer, start);
            }
        }
        durable.in.journal.end = durable.end;
        durable.in.journal.lastEpoch = durable.epoch;
        target.groupEnd(durable.epoch);
    }

    /** An undamaged record that cannot be understood was written by a later version. */
    private void applyRecord(JournalFile journal, long offset, ByteBuffer buffer, int start) {
        byte type = Frame.type(buffer, start);
        try {
            target.record(type, Frame.id(buffer, start), Frame.index(buffer, start), Frame.body(buffer, start));
        } catch (IllegalStateException | BufferUnderflowException e) {
            journal.damaged = true;
            damages.report(journal.path, offset, "a record of kind " + type + " cannot be applied: " + e);
        }
    }

    private void truncate(Group last) throws IOException {
        torn = true;
        damages.reportTorn(
                last.in.journal.path,
                last.start,
                "torn tail: group " + last.epoch + " was not written whole before the stop; it is cut off");
        target.torn(last.in.journal, last.start, last.end);
    }
}
