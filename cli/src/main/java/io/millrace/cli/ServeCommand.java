package io.millrace.cli;

import io.millrace.broker.Broker;
import io.millrace.broker.BrokerConfig;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a broker until a signal ends it; prints one line on stdout as soon as clients may connect. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a broker until a signal ends it.",
            "",
            "SIGTERM or SIGINT: takes no more, gives the receipts that are due and closes within 5 s. A flag wins over "
                    + "the configuration file, the file over the default."
        })
final class ServeCommand implements Callable<Integer> {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "TCP port, 0 for any free one (default: " + BrokerConfig.DEFAULT_PORT + ").")
    private @Nullable Integer port;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "TCP port of the admin API over HTTP, 0 for any free one, off for none (default: "
                    + BrokerConfig.DEFAULT_HTTP_PORT + ", or any free one with --port 0).")
    private @Nullable String httpPort;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address to listen on (default: 127.0.0.1, this machine only).")
    private @Nullable String bindAddress;

    @Option(
            names = "--advertised-address",
            paramLabel = "HOST[:PORT]",
            description = "What clients are told to connect to (default: the address by which each came).")
    private @Nullable String advertisedAddress;

    @Option(
            names = "--advertised-listeners",
            paramLabel = "NAME:URL,...",
            description = "What clients are told that name one of these, such as "
                    + "inside:pulsar://broker:6650,outside:pulsar://127.0.0.1:49153.")
    private @Nullable String advertisedListeners;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder of the messages, made where it is missing (default: data).")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Properties file with these settings and all limits; conf/millrace.properties is an example.")
    private @Nullable Path file;

    /**
     * Reads {@code serve} with its options in the form {@code --name value}, or null for anything else, which picocli then
     * reads or refuses. A plain start does not load picocli, whose old class files no class archive can hold.
     */
    static @Nullable ServeCommand ofPlain(String... arguments) {
        if (arguments.length % 2 == 0 || !arguments[0].equals("serve")) {
            return null;
        }
        ServeCommand command = new ServeCommand();
        for (int i = 1; i < arguments.length; i += 2) {
            if (arguments[i + 1].startsWith("-") || !command.setPlain(arguments[i], arguments[i + 1])) {
                return null;
            }
        }
        return command;
    }

    private boolean setPlain(String name, String value) {
        switch (name) {
            case "--port" -> {
                if (!value.matches("[0-9]{1,9}")) {
                    return false;
                }
                port = Integer.valueOf(value);
            }
            case "--http-port" -> httpPort = value;
            case "--bind" -> bindAddress = value;
            case "--advertised-address" -> advertisedAddress = value;
            case "--advertised-listeners" -> advertisedListeners = value;
            case "--data" -> data = Path.of(value);
            case "--config" -> file = Path.of(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public Integer call() throws InterruptedException {
        return serve(config(), () -> {});
    }

    /** Runs a broker until a signal ends it; says that it is ready, then calls {@code ready}. */
    static int serve(BrokerConfig config, Runnable ready) throws InterruptedException {
        OutOfMemoryExit outOfMemory = OutOfMemoryExit.install("the broker");
        Broker broker = start(config);
        outOfMemory.watch(broker);
        CountDownLatch closed = new CountDownLatch(1);
        StopSignal.onStop(CLOSE_LIMIT, () -> {
            broker.close();
            closed.countDown();
        });
        System.out.println("millrace ready at " + broker.serviceUrl());
        if (broker.httpPort() >= 0) {
            System.out.println("millrace admin at " + broker.httpServiceUrl());
        }
        ready.run();
        System.out.flush();
        closed.await();
        return ExitCode.OK;
    }

    private BrokerConfig config() {
        try {
            BrokerConfig config = file == null ? BrokerConfig.defaults(Path.of("data")) : BrokerConfig.load(file);
            config = port == null ? config : config.withPort(port);
            config = bindAddress == null ? config : config.withBindAddress(bindAddress);
            config = advertisedAddress == null ? config : config.withAdvertisedAddress(advertisedAddress);
            config = advertisedListeners == null ? config : config.withAdvertisedListeners(advertisedListeners);
            config = httpPort == null ? config.withHttpUnlessChosen() : config.withHttpPort(httpPort);
            return data == null ? config : config.withDataFolder(data);
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, CommandFailure.reason(e), e);
        }
    }

    private static Broker start(BrokerConfig config) {
        try {
            return Broker.start(config);
        } catch (IOException e) {
            throw new CommandFailure("the broker cannot start: " + CommandFailure.reason(e), e);
        }
    }
}
