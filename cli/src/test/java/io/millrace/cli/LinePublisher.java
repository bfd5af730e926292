package io.millrace.cli;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Sends numbered lines through kills of the broker, never giving one up, and remembers which of them could be stored
 * twice: those without a receipt when a broker died.
 *
 * <p><b>Threads</b>: one runs {@link #call}; the client's threads count receipts; the killer reads.
 */
final class LinePublisher implements Callable<Integer> {
    private static final int MAX_PENDING = 5_000;

    private final Producer<byte[]> producer;
    private final List<byte[]> lines;
    private final BitSet mayRepeat = new BitSet();
    private volatile int sent;
    private volatile int receipted;
    private volatile Throwable failure;

    LinePublisher(PulsarClient client, String topic, List<byte[]> lines, boolean batched) throws PulsarClientException {
        this.lines = lines;
        this.producer = client.newProducer()
                .topic(topic)
                .enableBatching(batched)
                .batchingMaxMessages(500)
                .batchingMaxPublishDelay(2, TimeUnit.MILLISECONDS)
                .maxPendingMessages(MAX_PENDING)
                .blockIfQueueFull(true)
                .sendTimeout(0, TimeUnit.SECONDS)
                .create();
    }

    // Each send settles its own receipt; nobody waits on the single future.
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public Integer call() throws Exception {
        for (int i = 0; i < lines.size() && failure == null; i++) {
            int line = i;
            sent = line + 1;
            producer.newMessage()
                    .value(lines.get(line))
                    .sequenceId(line)
                    .sendAsync()
                    .whenComplete((id, problem) -> settle(line, problem));
        }
        producer.flush();
        Await.until(KillIT.LIMIT, () -> receipted == lines.size() || failure != null, () -> receipted + " receipts");
        if (failure != null) {
            throw new AssertionError("a send failed", failure);
        }
        producer.close();
        return receipted;
    }

    int receipted() {
        return receipted;
    }

    /** Called when the broker is dead: what has no receipt may have been stored, and will be sent again. */
    void brokerDied() {
        mayRepeat.set(receipted, Math.max(receipted, sent));
    }

    boolean mayRepeat(int line) {
        return mayRepeat.get(line);
    }

    private synchronized void settle(int line, Throwable problem) {
        if (problem != null) {
            failure = problem;
        } else if (line != receipted) {
            failure = new AssertionError("line " + line + " had its receipt where " + receipted + " was due");
        } else {
            receipted = line + 1;
        }
    }
}
