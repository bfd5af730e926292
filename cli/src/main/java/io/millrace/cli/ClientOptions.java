package io.millrace.cli;

import picocli.CommandLine.Option;

/** The options of every command that connects to a broker. */
final class ClientOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "pulsar://127.0.0.1:6650",
            description = "Broker or cluster, pulsar://HOST:PORT (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private String url;

    String url() {
        return url;
    }
}
