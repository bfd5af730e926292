package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An item queued for the journal writer. */
sealed interface JournalItem {
    /** An entry whose position is assigned; the writer releases {@code data}. */
    record EntryItem(Ledger ledger, long entryId, EntryHeader header, ByteBuf data) implements JournalItem {}

    /**
     * A frame that changes the catalog. When it is durable the ledger writer applies it; {@code cursor} and
     * {@code deltaNumber} say which delta it was, {@code applied} is completed after it was applied.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record RecordItem(
            byte type,
            long id,
            long index,
            byte[] body,
            @Nullable CursorLog cursor,
            long deltaNumber,
            @Nullable CompletableFuture<?> failure,
            @Nullable Runnable applied)
            implements JournalItem {}

    /** Writes nothing; runs on the ledger writer when all earlier items are durable and applied. */
    record Barrier(CompletableFuture<?> failure, Runnable reached) implements JournalItem {}
}
