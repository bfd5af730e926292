package io.millrace.cli;

import io.millrace.broker.DataFolder;
import io.millrace.broker.FolderReport;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a data folder and prints what is in it, what is damaged and what is lost. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Reads a data folder that no broker uses, every entry of it, and prints a line for each topic, each damaged "
                    + "place and each run of entries that is lost.",
            "",
            "Changes nothing and needs no permission to write, unless told to set aside what is damaged. Exit code 1 means "
                    + "that something is damaged."
        })
final class CheckCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The data folder.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private Path folder;

    @Option(
            names = "--set-aside",
            description =
                    "Copy what is damaged to the folder 'damaged' in DIR and mend the files, so that a broker starts without it.")
    private boolean setAside;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        FolderReport report = report();
        PrintWriter out = spec.commandLine().getOut();
        report.topics().forEach(line -> out.println("topic    " + line));
        report.names().forEach(line -> out.println("name     " + line));
        report.damages().forEach(line -> out.println("damage   " + line));
        report.lost().forEach(line -> out.println("lost     " + line));
        if (report.isSound()) {
            out.println("sound    everything that had a receipt can be read");
        } else if (setAside) {
            out.println("aside    what is damaged lies in " + folder.resolve("damaged"));
        }
        out.flush();
        return report.isSound() || setAside ? ExitCode.OK : ExitCode.FAILURE;
    }

    private FolderReport report() {
        try {
            return setAside ? DataFolder.setAside(folder) : DataFolder.check(folder);
        } catch (IOException e) {
            throw new CommandFailure(CommandFailure.reason(e), e);
        }
    }
}
