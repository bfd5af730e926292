package io.millrace.broker;

import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.EntryRange;
import io.millrace.broker.log.FolderBackup;
import io.millrace.broker.log.FolderCheck;
import io.millrace.broker.log.FolderRepair;
import io.millrace.broker.log.FolderState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Operations on a broker's data folder from outside the broker. */
public final class DataFolder {
    private DataFolder() {}

    /**
     * Reads the folder, which no broker may have open, and changes nothing: it needs no permission to write.
     *
     * @throws IOException saying what to do, if it is in use, no data folder, or of a later format
     */
    public static FolderReport check(Path folder) throws IOException {
        return report(FolderCheck.run(folder, new DiskFiles()));
    }

    /**
     * Moves what cannot be read to the folder {@code damaged} inside it, so that the rest is whole.
     *
     * @return what was found and is set aside now
     * @throws IOException as {@link #check}
     */
    public static FolderReport setAside(Path folder) throws IOException {
        return report(FolderRepair.run(folder, new DiskFiles()));
    }

    /**
     * Copies the folder as it is at one moment, also while a broker in another process uses it. Not for the broker's
     * own process: it would lose its locks on the folder.
     *
     * @param to a folder that is missing or empty; on the same file system, files that no longer change are linked, not
     *     copied
     */
    public static void backup(Path folder, Path to) throws IOException {
        FolderBackup.run(folder, to);
    }

    private static FolderReport report(FolderState state) {
        List<String> topics = new ArrayList<>();
        for (FolderState.Topic topic : state.topics()) {
            StringBuilder line = new StringBuilder(topic.name()).append(": ").append(entries(topic.entries()));
            topic.subscriptions()
                    .forEach((name, mark) -> line.append("; subscription ")
                            .append(name)
                            .append(
                                    mark.entryId() < 0 && mark.ledgerId() < 0
                                            ? " at the start"
                                            : " acknowledged to " + mark));
            topics.add(line.toString());
        }
        List<String> damages = state.damages().stream()
                .map(damage -> damage.file() + " at byte " + damage.offset() + ": " + damage.what())
                .toList();
        List<String> lost = state.lost().stream()
                .map(entry -> entry.topic() + ": " + (entry.entries().isEmpty() ? "all" : entries(entry.entries())))
                .toList();
        return new FolderReport(
                state.isSound(), topics, state.values().stream().sorted().toList(), damages, lost);
    }

    private static String entries(List<EntryRange> ranges) {
        long count = ranges.stream().mapToLong(EntryRange::count).sum();
        String places = ranges.stream().map(EntryRange::toString).collect(Collectors.joining(", "));
        return count + (count == 1 ? " entry" : " entries") + (count == 0 ? "" : ", " + places);
    }
}
