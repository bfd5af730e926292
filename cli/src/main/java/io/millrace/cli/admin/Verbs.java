package io.millrace.cli.admin;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What the commands with verbs have in common. */
final class Verbs {
    private Verbs() {}

    /** What to throw where a command was given without a verb. */
    static ParameterException missing(CommandSpec spec) {
        return new ParameterException(
                spec.commandLine(),
                "name what to do: " + String.join(", ", spec.subcommands().keySet()));
    }
}
