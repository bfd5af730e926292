package io.millrace.junit;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * A client that tests are given. It alone names the client's classes, so that nothing else needs them.
 *
 * @param mark what the broker is told of it, if this release of the client can tell
 */
record InjectedClient(PulsarClient client, String mark) implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    static InjectedClient connect(String serviceUrl) {
        String mark = "injected-by-millrace-" + COUNT.incrementAndGet();
        try {
            ClientBuilder builder = PulsarClient.builder().serviceUrl(serviceUrl);
            return new InjectedClient(described(builder, mark).build(), mark);
        } catch (PulsarClientException e) {
            throw new IllegalStateException("no client could be made for " + serviceUrl, e);
        }
    }

    private static ClientBuilder described(ClientBuilder builder, String mark) {
        try {
            return builder.description(mark);
        } catch (NoSuchMethodError olderClient) {
            return builder;
        }
    }

    /** Closes it; its threads end by themselves within seconds, and nobody waits for them. */
    @Override
    public void close() {
        var unused = client.closeAsync();
    }
}
