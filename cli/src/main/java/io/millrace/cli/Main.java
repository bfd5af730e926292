package io.millrace.cli;

import io.millrace.cli.admin.NamespacesCommand;
import io.millrace.cli.admin.PoliciesCommand;
import io.millrace.cli.admin.SchemasCommand;
import io.millrace.cli.admin.SubscriptionsCommand;
import io.millrace.cli.admin.TopicsCommand;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The entry point: picks the command, turns what goes wrong into one line on stderr and an exit code. */
@Command(
        name = "millrace",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "A message broker that speaks the Apache Pulsar protocol, and a client for any such broker.",
        subcommands = {
            ServeCommand.class,
            StandaloneCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            CheckCommand.class,
            BackupCommand.class
        })
final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        nameTheProcess();
        OutOfMemoryExit.install("the command");
        int exitCode = ExitCode.FAILURE;
        try {
            exitCode = run(arguments);
        } catch (Throwable failure) { // not left to the thread: those of a client would go on for ever
            Objects.requireNonNull(Thread.getDefaultUncaughtExceptionHandler(), "handler")
                    .uncaughtException(Thread.currentThread(), failure);
        }
        System.exit(exitCode);
    }

    /** Else Netty looks at each network card and reads the process id by reflection, for names of channels that nobody here reads. */
    private static void nameTheProcess() {
        System.setProperty("io.netty.machineId", "00:00:00:00:00:00:00:01");
        System.setProperty("io.netty.processId", "1");
    }

    static int run(String... arguments) throws Exception {
        Callable<Integer> plain = plain(arguments);
        try {
            return plain == null ? parseAndRun(arguments) : plain.call();
        } catch (CommandFailure explained) {
            System.err.println("millrace: " + explained.getMessage());
            return explained.exitCode();
        }
    }

    private static @Nullable Callable<Integer> plain(String... arguments) {
        try {
            Callable<Integer> serve = ServeCommand.ofPlain(arguments);
            return serve == null ? StandaloneCommand.ofPlain(arguments) : serve;
        } catch (InvalidPathException refused) {
            return null; // which picocli tells
        }
    }

    private static int parseAndRun(String... arguments) {
        Stdout stdout = new Stdout();
        PrintWriter out = stdout.writer();
        CommandLine line = withCommands(arguments)
                .setOut(out)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refuse)
                .setExecutionExceptionHandler(Main::report);
        describe(line);
        int exitCode = line.execute(arguments);
        out.flush();
        return stdout.exitCode(exitCode);
    }

    /** The commands over HTTP have so many verbs that reading those takes a tenth of a second, which the ones for messages and folders are spared. */
    private static CommandLine withCommands(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        if (arguments.length == 0 || !line.getSubcommands().containsKey(arguments[0])) {
            line.addSubcommand(new NamespacesCommand())
                    .addSubcommand(new TopicsCommand())
                    .addSubcommand(new SubscriptionsCommand())
                    .addSubcommand(new PoliciesCommand())
                    .addSubcommand(new SchemasCommand())
                    .addSubcommand(new CompletionCommand());
        }
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a command: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static int refuse(ParameterException failure, String[] arguments) {
        CommandLine line = failure.getCommandLine();
        line.getErr().println("millrace: " + failure.getMessage());
        line.getErr().println("See " + line.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int report(Exception failure, CommandLine line, ParseResult parsed) throws Exception {
        if (failure instanceof CommandFailure explained) {
            line.getErr().println("millrace: " + explained.getMessage());
            return explained.exitCode();
        }
        if (failure.getCause() instanceof Error error) { // of a verb that is a method
            throw error;
        }
        throw failure;
    }

    private static void describe(CommandLine line) {
        line.getCommandSpec()
                .usageMessage()
                .width(100)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(ExitCode.descriptions());
        line.getSubcommands().values().forEach(Main::describe);
    }
}
