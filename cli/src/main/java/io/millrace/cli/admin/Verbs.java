package io.millrace.cli.admin;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command whose methods are its verbs; alone it does nothing, and says so. */
abstract class Verbs implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
    private CommandSpec spec;

    @Override
    public final void run() {
        throw new ParameterException(
                commandLine(),
                "name what to do: " + String.join(", ", spec.subcommands().keySet()));
    }

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    final Output output() {
        return new Output(commandLine().getOut());
    }
}
