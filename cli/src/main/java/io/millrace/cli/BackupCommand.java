package io.millrace.cli;

import io.millrace.broker.DataFolder;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies a data folder as it is at one moment, also while a broker uses it. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Copies a data folder as it is at one moment, also while a broker uses it: everything that had a receipt "
                    + "before is in the copy, which a broker can be started on.",
            "",
            "On the same file system, files that are finished are linked, not copied."
        })
final class BackupCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "The data folder.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private Path folder;

    @Parameters(index = "1", paramLabel = "TO", description = "The copy: a folder that is missing or empty.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private Path to;

    @Override
    public Integer call() {
        try {
            DataFolder.backup(folder, to);
            return ExitCode.OK;
        } catch (IOException e) {
            throw new CommandFailure(CommandFailure.reason(e), e);
        }
    }
}
