package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/**
 * Reads a file of which the disk cannot give every place: where a read fails it reads small pieces, and one that fails
 * twice is told and given as zeros. If neither the file's first piece nor its last can be read, the disk itself is taken to
 * be away for now, and the read fails. For one thread.
 */
final class SalvageRead implements FrameWindow.Source {
    private static final int PIECE_BYTES = 4 * 1024;

    private final DiskFile file;
    private final Told told;

    /** Learns the offset of each place that cannot be read, and why. */
    interface Told {
        void unreadable(long offset, IOException failure);
    }

    SalvageRead(DiskFile file, Told told) {
        this.file = file;
        this.told = told;
    }

    /** For a read of that ledger: such a place is damage, which a later attempt may find mended. */
    static SalvageRead of(EntryReader.Context context, DiskFile file, Ledger ledger, Path path) {
        return new SalvageRead(file, (offset, failure) -> {
            ledger.setUnreadable();
            context.damages().report(path, offset, "the disk cannot read this place: " + failure.getMessage());
        });
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
        int start = target.position();
        try {
            return file.read(target, offset);
        } catch (IOException failure) {
            if (isClosed(failure) || !isThere()) {
                throw failure;
            }
            target.position(start);
            return readPieces(target, offset);
        }
    }

    private static boolean isClosed(IOException failure) {
        return failure instanceof ClosedChannelException || failure.getCause() instanceof ClosedChannelException;
    }

    private boolean isThere() throws IOException {
        return canRead(0) || canRead(Math.max(0, file.size() - PIECE_BYTES));
    }

    private boolean canRead(long offset) {
        return read(ByteBuffer.allocate(PIECE_BYTES), offset, false) >= 0;
    }

    /** Pieces begin at multiples of their size, as places on disks do. */
    private int readPieces(ByteBuffer target, long offset) throws IOException {
        int total = (int) Math.min(target.remaining(), Math.max(0, file.size() - offset));
        for (int done = 0; done < total; ) {
            long at = offset + done;
            int bytes = (int) Math.min(PIECE_BYTES - at % PIECE_BYTES, total - done);
            ByteBuffer piece = ByteBuffer.allocate(bytes);
            if (read(piece, at, false) < 0 && read(piece.clear(), at, true) < 0) {
                piece = ByteBuffer.allocate(bytes);
            }
            target.put(piece.rewind());
            done += bytes;
        }
        return total;
    }

    /** Returns -1 if that fails. */
    private int read(ByteBuffer piece, long offset, boolean isLast) {
        try {
            return file.read(piece, offset);
        } catch (IOException failure) {
            if (isLast) {
                told.unreadable(offset, failure);
            }
            return -1;
        }
    }
}
