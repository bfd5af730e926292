package io.millrace.broker.admin;

import io.millrace.broker.inspect.TimeText;
import io.millrace.broker.log.TopicFacts;
import io.millrace.wire.admin.ManagedLedgerInternalStats.CursorStats;
import io.millrace.wire.admin.ManagedLedgerInternalStats.LedgerInfo;
import io.millrace.wire.admin.PersistentTopicInternalStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** How a topic is stored, in Pulsar's shape. */
final class InternalStatsOf {
    private InternalStatsOf() {}

    static PersistentTopicInternalStats topic(TopicFacts facts) {
        PersistentTopicInternalStats stats = new PersistentTopicInternalStats();
        stats.entriesAddedCounter = facts.entries();
        stats.numberOfEntries = facts.entries();
        stats.totalSize = facts.bytes();
        stats.lastConfirmedEntry = facts.lastDurable().toString();
        stats.state = facts.use().isTerminated() ? "Terminated" : facts.use().isOpen() ? "LedgerOpened" : "Closed";
        if (facts.use().times().ledgerMillis() != 0) {
            stats.lastLedgerCreatedTimestamp = TimeText.of(facts.use().times().ledgerMillis());
        }
        stats.ledgers = new ArrayList<>();
        stats.schemaLedgers = List.of();
        stats.cursors = new LinkedHashMap<>();
        for (TopicFacts.LedgerFacts ledger : facts.ledgers()) {
            LedgerInfo info = new LedgerInfo();
            info.ledgerId = ledger.id();
            info.entries = ledger.entries();
            info.size = ledger.bytes();
            stats.ledgers.add(info);
            stats.currentLedgerEntries = ledger.entries();
            stats.currentLedgerSize = ledger.bytes();
        }
        facts.cursors().forEach(cursor -> stats.cursors.put(cursor.name(), cursor(cursor)));
        return stats;
    }

    private static CursorStats cursor(TopicFacts.CursorFacts facts) {
        CursorStats stats = new CursorStats();
        stats.markDeletePosition = facts.markDelete().toString();
        stats.individuallyDeletedMessages = "[" + String.join(",", facts.ackedRanges()) + "]";
        stats.totalNonContiguousDeletedMessagesRange = facts.ackedRanges().size();
        stats.numberOfEntriesSinceFirstNotAckedMessage = facts.backlogEntries();
        stats.state = "Open";
        return stats;
    }
}
