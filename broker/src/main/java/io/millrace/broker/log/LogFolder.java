package io.millrace.broker.log;

import java.nio.file.Path;

/**
 * The data folder of one log: how it is set up, what lies where in it, and what was found damaged.
 *
 * @param salt what every frame of this folder is marked with, lest others are taken for its own
 */
record LogFolder(LogConfig config, Disk disk, long salt, Damages damages) {
    static final String JOURNAL = "journal";
    static final String LEDGERS = "ledgers";

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
