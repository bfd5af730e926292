package io.millrace.broker.log;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads a data folder that no broker has open, every entry of it, and changes nothing: it needs no permission to write. */
public final class FolderCheck {
    private final FolderImage image;
    private final LogParts parts;
    private final Map<Ledger, List<ExtentCheck>> checks = new LinkedHashMap<>();

    private FolderCheck(FolderImage image) {
        this.image = image;
        this.parts = image.parts();
    }

    /** The contents of that folder; fails with the reason if it is in use or is no data folder. */
    public static FolderState run(Path folder, Disk disk) throws IOException {
        try (FolderImage image = FolderImage.read(folder, new ReadOnlyDisk(disk))) {
            return new FolderCheck(image).run();
        }
    }

    private FolderState run() throws IOException {
        LedgerFiles files = new LedgerFiles(parts);
        Map<Path, Long> ends = new LinkedHashMap<>();
        image.catalog().unpackedTopics().forEach(topic -> files.addEnds(topic, ends));
        files.reportShort(ends);
        List<FolderState.Topic> topics = new ArrayList<>();
        List<FolderState.Lost> lost = new ArrayList<>();
        for (TopicLog topic : image.catalog().unpackedTopics()) {
            List<EntryRange> entries = new ArrayList<>();
            List<EntryRange> missing = new ArrayList<>();
            for (Ledger ledger : image.catalog().ledgersOf(topic)) {
                check(parts, ledger, checks);
                Map<Ledger, List<EntryRange>> ranges = new HashMap<>();
                for (ExtentCheck check : checks.getOrDefault(ledger, List.of())) {
                    check.sound().forEach(extent -> FolderImage.add(ranges, ledger, range(ledger, extent)));
                    missing.addAll(check.lost());
                }
                image.inJournal(ledger).forEach(range -> FolderImage.add(ranges, ledger, range));
                missing.addAll(image.lostInJournal(ledger));
                entries.addAll(ranges.getOrDefault(ledger, List.of()));
            }
            topics.add(new FolderState.Topic(topic.name(), entries, subscriptions(topic)));
            if (!missing.isEmpty()) {
                lost.add(new FolderState.Lost(topic.name(), missing));
            }
        }
        for (UnreadableTopic topic : image.catalog().unreadable()) {
            lost.add(new FolderState.Lost(topic.name() == null ? "of unreadable name" : topic.name(), List.of()));
        }
        Set<String> values = new TreeSet<>(image.catalog().values().all().keySet());
        return new FolderState(topics, values, parts.folder().damages().found(), lost);
    }

    private static EntryRange range(Ledger ledger, Extent extent) {
        return new EntryRange(ledger.id, extent.firstEntry(), extent.lastEntry());
    }

    private static Map<String, Position> subscriptions(TopicLog topic) {
        Map<String, Position> marks = new TreeMap<>();
        for (TopicCursors.Image cursor : topic.cursors().images().values()) {
            marks.put(cursor.name(), cursor.state().markDelete());
        }
        return marks;
    }

    /** Checks each extent of that ledger; files that are too short are reported elsewhere. */
    static void check(LogParts parts, Ledger ledger, Map<Ledger, List<ExtentCheck>> checks) throws IOException {
        EntryReader.Context context =
                new EntryReader.Context(parts.folder().salt(), parts.folder().damages());
        for (Extent extent : ledger.extents()) {
            Path path = LogFolder.ledgerFile(parts.folder().path(), ledger, extent);
            ExtentCheck check;
            try (OpenFiles.Lease lease = parts.reading().openFiles().open(path)) {
                check = ExtentCheck.run(context, path, lease.file(), ledger, extent);
            } catch (NoSuchFileException e) {
                check = ExtentCheck.missing(ledger, extent);
            }
            checks.computeIfAbsent(ledger, unknown -> new ArrayList<>()).add(check);
        }
    }
}
