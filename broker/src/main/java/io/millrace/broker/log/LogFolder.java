package io.millrace.broker.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The data folder of one log: how it is set up, what lies where in it, and what was found damaged.
 *
 * @param salt what every frame of this folder is marked with, lest others are taken for its own
 */
record LogFolder(LogConfig config, Disk disk, long salt, Damages damages) {
    static final String JOURNAL = "journal";
    static final String LEDGERS = "ledgers";

    /**
     * Creates the missing directories of the folder's path from the top, and forces the name of each before it creates
     * the next. Without a snapshot it also forces the name of the last one that existed: the process that created it
     * may have been killed before it did so.
     */
    static void create(Path folder, Disk disk) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        Path path = folder.toAbsolutePath();
        while (path != null && !disk.exists(path)) {
            missing.push(path);
            path = path.getParent();
        }
        if (path != null && !SnapshotFile.exists(disk, folder)) {
            forceName(path, disk);
        }
        for (Path made : missing) {
            disk.createDirectories(made);
            forceName(made, disk);
        }
    }

    private static void forceName(Path directory, Disk disk) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            disk.forceDirectory(parent, ForcePoint.DATA_FOLDER);
        }
    }

    /** The folder itself. */
    Path path() {
        return config.data();
    }

    Path journal() {
        return path().resolve(JOURNAL);
    }

    Path ledgers() {
        return path().resolve(LEDGERS);
    }

    static Path ledgerFile(Path data, Ledger ledger, Extent extent) {
        return extent.isOwn() ? ownFile(data, ledger) : sharedFile(data, extent.fileNumber());
    }

    static Path ownFile(Path data, Ledger ledger) {
        return data.resolve(LEDGERS).resolve(ledger.topic.id() + "-" + ledger.id + ".ledger");
    }

    static Path sharedFile(Path data, long number) {
        return data.resolve(LEDGERS).resolve(number + ".shared");
    }
}
