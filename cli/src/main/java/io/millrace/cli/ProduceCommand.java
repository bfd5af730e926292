package io.millrace.cli;

import io.millrace.cli.exit.ExitCode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends each line of a file or of stdin as one message and ends once all of them have their receipt. */
@Command(
        name = "produce",
        mixinStandardHelpOptions = true,
        description = {
            "Sends each line of a file or of stdin as one message.",
            "",
            "The bytes between two newlines are sent as they are: an empty line is an empty message, a last line"
                    + " without newline counts, a carriage return belongs to its line. Exits with 0 only once the broker"
                    + " has given its receipt for every message."
        })
final class ProduceCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TOPIC", description = "NAME or persistent://TENANT/NAMESPACE/NAME.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private String topic;

    @Mixin
    private final ClientOptions client = new ClientOptions();

    @Option(names = "--file", paramLabel = "FILE", description = "File to read (default: stdin).")
    private @Nullable Path file;

    @Option(
            names = "--key-field",
            paramLabel = "N",
            description = "Use the line's Nth field as message key. Fields are counted from 1 and separated by any run"
                    + " of spaces and tabs, as in awk. A line with fewer fields has no key; a key that is not UTF-8 is one"
                    + " of bytes. The line is sent whole.")
    private @Nullable Integer keyField;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (keyField != null && keyField < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--key-field is " + keyField + ", but the first field is 1");
        }
        LineProducer.produce(client.url(), topic, file, keyField == null ? null : new KeyField(keyField));
        return ExitCode.OK;
    }
}
