package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.DeltaRecord;
import org.jspecify.annotations.Nullable;

/**
 * The durable side of one subscription; one owner appends.
 *
 * <p><b>Threads</b>: the owner appends, the journal writer tells the listener. <b>Owned</b>: {@code recovered} by the owner; {@code groupEpoch} and
 * {@code groupNumber} by the journal writer. <b>Shared</b>: {@code lastNumber} under the monitor, so that numbers are
 * queued in order; {@code listener}, volatile. <b>Proved by</b>: ReopenTest.
 */
public final class CursorLog {
    private final LogParts parts;
    private final long topicId;
    private final long id;
    private final String name;
    private @Nullable CursorState recovered;
    private long groupEpoch;
    private long groupNumber;
    private long lastNumber;
    private volatile @Nullable CursorLogListener listener;

    CursorLog(LogParts parts, long topicId, long id, String name, CursorState recovered) {
        this.parts = parts;
        this.topicId = topicId;
        this.id = id;
        this.name = name;
        this.recovered = recovered;
    }

    public String name() {
        return name;
    }

    /** The state at opening, which is the caller's from now on, to be kept up to date: it is handed over once. */
    public CursorState recovered() {
        CursorState state = recovered;
        if (state == null) {
            throw new IllegalStateException("the state of cursor " + name + " was handed over before");
        }
        recovered = null;
        return state;
    }

    /**
     * Queues the delta for the next journal group and returns its number, counting from 1; throws
     * {@link LogUnavailableException}, and counts nothing, when the log has failed or is closed.
     */
    public long append(CursorDelta delta) {
        byte[] body = DeltaCodec.encode(delta);
        parts.folder().config().requireFits("an acknowledgement", Frame.recordBytes(body.length));
        synchronized (this) {
            parts.status().checkDeltas();
            long number = ++lastNumber;
            parts.journal().queue().offer(new DeltaRecord(CatalogChange.cursorDelta(topicId, id, body), this, number));
            return number;
        }
    }

    /** Sets the listener for durable deltas, before the first append; null when it hears of no more. */
    public void listener(@Nullable CursorLogListener newListener) {
        listener = newListener;
    }

    /** True the first time in that group; for the journal writer. */
    boolean touch(long epoch, long number) {
        boolean first = groupEpoch != epoch;
        groupEpoch = epoch;
        groupNumber = number;
        return first;
    }

    void notifyDurable() {
        CursorLogListener told = listener;
        if (told != null) {
            told.durable(groupNumber);
        }
    }

    void notifyFailed(Throwable cause) {
        CursorLogListener told = listener;
        if (told != null) {
            told.failed(cause);
        }
    }
}
