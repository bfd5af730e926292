package io.millrace.cli;

import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
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
    private final Queue<Ack> withoutReceipt = new ConcurrentLinkedQueue<>();
    private final AtomicInteger emptyReceives = new AtomicInteger();
    private volatile boolean ended;

    private record Ack(int line, MessageId id) {}

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

    @Override
    public Void call() throws Exception {
        try {
            while (!deliveries.isComplete()) {
                Message<byte[]> message = consumer.receive(20, TimeUnit.MILLISECONDS);
                if (message == null) {
                    emptyReceives.incrementAndGet();
                    acknowledgeAgain();
                } else {
                    deliveries.received(message);
                    acknowledge(new Ack(Math.toIntExact(message.getSequenceId()), message.getMessageId()));
                }
            }
            return null;
        } finally {
            ended = true;
        }
    }

    // Each ack settles itself; nobody waits on the single future.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void acknowledge(Ack ack) {
        long connection = ConnectionStamp.of(consumer);
        if (connection == ConnectionStamp.NONE) {
            withoutReceipt.add(ack);
            return;
        }
        consumer.acknowledgeAsync(ack.id()).whenComplete((done, failure) -> {
            if (failure == null && ConnectionStamp.of(consumer) == connection) {
                deliveries.acknowledged(ack.line(), ack.id());
            } else {
                withoutReceipt.add(ack);
            }
        });
    }

    // The broker may have stored the ack and died before its receipt: then the message does not come again by itself.
    private void acknowledgeAgain() {
        int waiting = consumer.isConnected() ? withoutReceipt.size() : 0;
        for (int i = 0; i < waiting; i++) {
            acknowledge(withoutReceipt.remove());
        }
    }

    Consumer<byte[]> consumer() {
        return consumer;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** Whether it receives nothing any more, as all lines are there. */
    boolean hasEnded() {
        return ended;
    }

    boolean isConnected() {
        return consumer.isConnected();
    }

    /** How often there was nothing to receive; once this has grown while disconnected, nothing of that broker is left. */
    int emptyReceives() {
        return emptyReceives.get();
    }
}
