package io.millrace.cli.admin;

import io.millrace.cli.exit.CommandFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * What came of a command.
 *
 * @param lines what it printed, or the reason why it does not work
 */
record CommandRun(int exitCode, List<String> lines) {
    static CommandRun of(Object command, String... arguments) {
        StringWriter out = new StringWriter();
        int exitCode = new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .setParameterExceptionHandler((failure, given) -> {
                    out.write(failure.getMessage());
                    return 2;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    if (failure instanceof CommandFailure explained) {
                        out.write(explained.getMessage());
                        return explained.exitCode();
                    }
                    throw failure;
                })
                .execute(arguments);
        return new CommandRun(exitCode, out.toString().lines().toList());
    }

    String text() {
        return String.join("\n", lines);
    }
}
