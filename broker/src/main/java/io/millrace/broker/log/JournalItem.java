package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** An item queued for the journal writer. */
sealed interface JournalItem {
    /** An entry whose position is assigned; the writer releases {@code data}. */
    record EntryItem(Ledger ledger, long entryId, EntryHeader header, ByteBuf data) implements JournalItem {}

    /** A frame that changes the catalog; when it is durable the ledger writer applies it. */
    sealed interface RecordItem extends JournalItem {
        CatalogChange change();
    }

    /** A change that nobody waits for. */
    record PlainRecord(CatalogChange change) implements RecordItem {}

    /** A change that somebody waits for: {@code applied} runs on the ledger writer after it was applied. */
    record AwaitedRecord(CatalogChange change, CompletableFuture<?> failure, Runnable applied) implements RecordItem {}

    /** A delta of a cursor, whose listener is told once the delta of that number is durable. */
    record DeltaRecord(CatalogChange change, CursorLog cursor, long number) implements RecordItem {}

    /** Writes nothing; runs on the ledger writer when all earlier items are durable and applied. */
    record Barrier(CompletableFuture<?> failure, Runnable reached) implements JournalItem {}
}
