package io.millrace.cli;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * Receives and acknowledges, each message by itself and with a receipt, until all lines are there.
 *
 * <p><b>Threads</b>: one runs {@link #call}; the killer asks whether it is quiet.
 */
final class LineSubscriber implements Callable<Void> {
    private final Consumer<byte[]> consumer;
    private final Deliveries deliveries;
    private final AtomicInteger emptyReceives = new AtomicInteger();

    LineSubscriber(PulsarClient client, String topic, SubscriptionType type, Deliveries deliveries)
            throws PulsarClientException {
        this.deliveries = deliveries;
        this.consumer = client.newConsumer()
                .topic(topic)
                .subscriptionName(type.name())
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .isAckReceiptEnabled(true)
                .enableBatchIndexAcknowledgment(true)
                .acknowledgmentGroupTime(5, TimeUnit.MILLISECONDS)
                .subscribe();
    }

    // An ack that fails with its connection is sent again when its message comes again.
    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public Void call() throws Exception {
        while (!deliveries.isComplete()) {
            Message<byte[]> message = consumer.receive(20, TimeUnit.MILLISECONDS);
            if (message == null) {
                emptyReceives.incrementAndGet();
            } else {
                deliveries.received(message);
                int line = Math.toIntExact(message.getSequenceId());
                consumer.acknowledgeAsync(message).thenRun(() -> deliveries.acknowledged(line, message.getMessageId()));
            }
        }
        return null;
    }

    Consumer<byte[]> consumer() {
        return consumer;
    }

    boolean isConnected() {
        return consumer.isConnected();
    }

    /** How often there was nothing to receive; once this has grown while disconnected, nothing of that broker is left. */
    int emptyReceives() {
        return emptyReceives.get();
    }
}
