package io.millrace.cli;

import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;

/** Opens the real Pulsar client with the settings of the command line: few threads, bounded memory, no statistics. */
final class PulsarConnection {
    private static final int OPERATION_TIMEOUT_SECONDS = 10;
    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    private PulsarConnection() {}

    /**
     * Opens a client, which connects with its first use. It need not be closed once its producers and consumers are: the
     * process ends with the command, and closing would add two seconds of quiet time of the client's event loops.
     *
     * @param memoryMib how much of messages a producer has on their way at most, or a consumer waits with before it asks for
     *     fewer, which may come to four times as much
     * @throws CommandFailure with the exit code of wrong usage, for a URL that it cannot use
     */
    // The statistics thread has no other switch.
    @SuppressWarnings("deprecation")
    static PulsarClient open(String url, int memoryMib) {
        if (!url.startsWith("pulsar://")) {
            throw new CommandFailure(ExitCode.USAGE, "--url is '" + url + "', but must begin with pulsar://", null);
        }
        try {
            return PulsarClient.builder()
                    .serviceUrl(url)
                    .ioThreads(1)
                    .listenerThreads(1)
                    .memoryLimit(memoryMib, SizeUnit.MEGA_BYTES)
                    .operationTimeout(OPERATION_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .lookupTimeout(OPERATION_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .connectionTimeout(CONNECT_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .statsInterval(0, TimeUnit.SECONDS)
                    .build();
        } catch (PulsarClientException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--url is '" + url + "': " + CommandFailure.reason(e), e);
        }
    }
}
