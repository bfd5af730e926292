package io.millrace.cli;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** The real client as the tests use it: quick to reconnect, without statistics, which would need more of its jars. */
public final class Clients {
    private Clients() {}

    @SuppressWarnings("deprecation") // the statistics have no other switch
    public static PulsarClient open(String url) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(url)
                .ioThreads(1)
                .listenerThreads(1)
                .startingBackoffInterval(10, TimeUnit.MILLISECONDS)
                .maxBackoffInterval(200, TimeUnit.MILLISECONDS)
                .statsInterval(0, TimeUnit.SECONDS)
                .build();
    }
}
