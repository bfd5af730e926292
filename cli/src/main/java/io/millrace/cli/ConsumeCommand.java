package io.millrace.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints each message of a subscription as one line and acknowledges what it has printed. */
@Command(
        name = "consume",
        mixinStandardHelpOptions = true,
        description = {
            "Prints each message as one line on stdout: its bytes as they are and a newline, or JSON.",
            "",
            "A message is acknowledged after it was written, so a kill loses none; at a normal end every "
                    + "acknowledgement has its receipt, and what was printed does not come again."
        })
final class ConsumeCommand implements Callable<Integer> {
    /** How messages are divided among the consumers of a subscription. */
    enum Type {
        EXCLUSIVE,
        FAILOVER,
        SHARED,
        KEY_SHARED
    }

    /** Where a new subscription begins. */
    enum From {
        EARLIEST,
        LATEST
    }

    @Parameters(paramLabel = "TOPIC", description = "NAME or persistent://TENANT/NAMESPACE/NAME.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private String topic;

    @Option(
            names = "--subscription",
            required = true,
            paramLabel = "S",
            description = "Name of the subscription, made where it is missing.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private String subscription;

    @Mixin
    private final ClientOptions client = new ClientOptions();

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "exclusive",
            description = "exclusive, failover, shared or key_shared (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private Type type;

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            defaultValue = "latest",
            description = "Where a new subscription begins, earliest or latest (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private From from;

    @Option(names = "--count", paramLabel = "N", description = "End after exactly N messages (default: no end).")
    private @Nullable Long count;

    @Option(names = "--no-ack", description = "Acknowledge nothing: the messages come again.")
    private boolean noAck;

    @Option(
            names = "--json",
            description =
                    "Prints each message as JSON: its id, key, times, properties, and its value by the schema that it "
                            + "was written with; its bytes where it has none, or cannot be decoded.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call
    private CommandSpec spec;

    /** What to consume and how; {@code count} is {@link Long#MAX_VALUE} where there is no end. */
    record Request(String url, Subscription subscription, long count, boolean ack, boolean json) {}

    /** The subscription that it consumes, made where it is missing. */
    record Subscription(String topic, String name, Type type, From from) {}

    @Override
    public Integer call() {
        if (count != null && count < 1) {
            throw new ParameterException(spec.commandLine(), "--count is " + count + ", but must be 1 or more");
        }
        return LineConsumer.consume(new Request(
                client.url(),
                new Subscription(topic, subscription, type, from),
                count == null ? Long.MAX_VALUE : count,
                !noAck,
                json));
    }
}
