package io.millrace.cli;

import io.millrace.broker.BrokerConfig;
import io.millrace.cli.standalone.PulsarSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a broker as the image of Pulsar does: with its settings, and saying what those who start that image wait for. */
@Command(
        name = "standalone",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a broker in place of Pulsar's standalone one, as bin/pulsar of the image does.",
            "",
            "The environment wins over Pulsar's file, and that over Millrace's: PULSAR_PREFIX_defaultNumPartitions=4 is a "
                    + "setting of Pulsar, MILLRACE_SETTING_HTTP_HOSTS=docker.example one of Millrace. What has no equal is "
                    + "named in a warning; authentication, TLS and transactions are refused."
        })
final class StandaloneCommand implements Callable<Integer> {
    @Option(
            names = "--settings",
            paramLabel = "FILE",
            required = true,
            description = "Properties file with Millrace's settings, as --config of serve.")
    private @Nullable Path settings;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Properties file with Pulsar's settings, such as standalone.conf.")
    private @Nullable Path pulsarFile;

    @Option(
            names = {"-a", "--advertised-address"},
            paramLabel = "HOST[:PORT]",
            description = "What clients are told to connect to.")
    private @Nullable String advertisedAddress;

    @Option(
            names = {"-nfw", "--no-functions-worker", "-nss", "--no-stream-storage"},
            description = "Accepted: there is no functions worker and no stream storage.")
    private boolean @Nullable [] without;

    /** Reads {@code standalone} with its options, or null for what picocli then reads or refuses, as {@link ServeCommand#ofPlain}. */
    static @Nullable StandaloneCommand ofPlain(String... arguments) {
        if (arguments.length == 0 || !arguments[0].equals("standalone")) {
            return null;
        }
        StandaloneCommand command = new StandaloneCommand();
        for (int i = 1; i < arguments.length; i++) {
            boolean isLast = i + 1 == arguments.length;
            switch (arguments[i]) {
                case "-nfw", "--no-functions-worker", "-nss", "--no-stream-storage" ->
                    command.without = new boolean[] {true};
                case "--settings", "-c", "--config", "-a", "--advertised-address" -> {
                    if (isLast || arguments[i + 1].startsWith("-")) {
                        return null;
                    }
                    command.setPlain(arguments[i], arguments[i + 1]);
                    i++;
                }
                default -> {
                    return null;
                }
            }
        }
        return command.settings == null ? null : command;
    }

    private void setPlain(String name, String value) {
        switch (name) {
            case "--settings" -> settings = Path.of(value);
            case "-c", "--config" -> pulsarFile = Path.of(value);
            default -> advertisedAddress = value;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PulsarSettings pulsar = new PulsarSettings();
        if (pulsarFile != null) {
            pulsar.addFile(pulsarFile);
        }
        pulsar.addEnvironment(System.getenv());
        if (advertisedAddress != null) {
            pulsar.advertise(advertisedAddress);
        }
        BrokerConfig config = pulsar.over(Objects.requireNonNull(settings)).withHttpUnlessChosen();
        pulsar.warnings().forEach(warning -> System.out.println("WARN  millrace standalone: " + warning));
        if (without == null) {
            System.out.println("INFO  millrace standalone: there is no functions worker and no stream storage");
        }
        return ServeCommand.serve(config, StandaloneCommand::sayWhatIsWaitedFor);
    }

    /** Lines of Pulsar's log at the end of a start: test tools look for one or the other. The namespace is there by now. */
    private static void sayWhatIsWaitedFor() {
        System.out.println("INFO  millrace standalone: Created namespace public/default");
        System.out.println("INFO  millrace standalone: Successfully updated the policies on namespace public/default");
    }
}
