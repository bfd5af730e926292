package io.millrace.cli;

import io.millrace.cli.exit.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what completes commands and options in a shell. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that completes commands and options in bash and zsh:",
            "",
            "  source <(millrace completion)"
        })
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandSpec whole = spec.root();
        spec.commandLine().getOut().print(AutoComplete.bash(whole.name(), whole.commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
