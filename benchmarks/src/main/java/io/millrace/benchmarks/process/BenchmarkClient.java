package io.millrace.benchmarks.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SizeUnit;

/** The one Pulsar client code that every broker is measured with. */
final class BenchmarkClient {
    static final int MAX_PENDING_MESSAGES = 20_000;
    private static final int CONNECT_MILLIS = 100;
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(120);

    private BenchmarkClient() {}

    /** A client that tries again at once when the broker is not ready. */
    static PulsarClient connect(String url) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl(url)
                .startingBackoffInterval(1, TimeUnit.MILLISECONDS)
                .maxBackoffInterval(5, TimeUnit.MILLISECONDS)
                .operationTimeout(60, TimeUnit.SECONDS)
                .memoryLimit(0, SizeUnit.BYTES)
                .build();
    }

    /** An unbatched producer, as soon as the broker grants one; throws when it exits or grants none for two minutes. */
    static Producer<byte[]> producer(RunningBroker broker, PulsarClient client, String topic) throws IOException {
        long deadline = System.nanoTime() + READY_NANOS;
        while (true) {
            broker.requireAlive();
            try {
                requireListening(broker.port());
                return unbatched(client, topic);
            } catch (IOException notReady) {
                if (System.nanoTime() > deadline) {
                    throw notReady;
                }
            }
            LockSupport.parkNanos(PROBE_NANOS);
        }
    }

    static Producer<byte[]> unbatched(PulsarClient client, String topic) throws PulsarClientException {
        return client.newProducer()
                .topic(topic)
                .enableBatching(false)
                .sendTimeout(0, TimeUnit.SECONDS)
                .maxPendingMessages(MAX_PENDING_MESSAGES)
                .create();
    }

    private static void requireListening(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
        }
    }
}
