package io.millrace.junit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * A client that tests are given. It alone names the client's classes, so that nothing else needs them.
 *
 * @param mark what the broker is told of it; empty if this release of the client, one before 4.2, cannot tell
 */
record InjectedClient(PulsarClient client, String mark) implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String NO_MARK = "";

    static InjectedClient connect(String serviceUrl) {
        try {
            ClientBuilder builder = PulsarClient.builder().serviceUrl(serviceUrl);
            String mark = describe(builder);
            return new InjectedClient(builder.build(), mark);
        } catch (PulsarClientException e) {
            throw new IllegalStateException("no client could be made for " + serviceUrl, e);
        }
    }

    /** Has the client tell the broker who it is; returns what it will tell. */
    private static String describe(ClientBuilder builder) {
        String mark = "injected-by-millrace-" + COUNT.incrementAndGet();
        try {
            var unused = builder.description(mark);
            return mark;
        } catch (NoSuchMethodError olderClient) {
            return NO_MARK;
        }
    }

    boolean isMarked() {
        return !mark.equals(NO_MARK);
    }

    /** Begins to close it; whether that failed is not told. */
    CompletableFuture<Void> closing() {
        return client.closeAsync().exceptionally(failure -> null);
    }

    /** Closes it; its threads end by themselves within seconds, and nobody waits for them. */
    @Override
    public void close() {
        var unused = client.closeAsync();
    }
}
