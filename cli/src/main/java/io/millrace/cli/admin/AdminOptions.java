package io.millrace.cli.admin;

import picocli.CommandLine.Option;

/** The options of every verb that asks the admin API. */
final class AdminOptions {
    @Option(
            names = "--admin-url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "The admin API of a broker or cluster, http://HOST:PORT (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets it before the command runs
    private String url;

    @Option(names = "--json", description = "Prints JSON, for scripts.")
    private boolean json;

    AdminClient client() {
        return new AdminClient(url);
    }

    boolean json() {
        return json;
    }
}
