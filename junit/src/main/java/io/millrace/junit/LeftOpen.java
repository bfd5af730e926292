package io.millrace.junit;

import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.inspect.ClientSnapshot.OpenConsumer;
import io.millrace.broker.inspect.ClientSnapshot.OpenProducer;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import java.util.List;

/**
 * What tests have not closed or acknowledged; {@link #toString} tells it line by line.
 *
 * @param clients clients that are connected, or that have producers and consumers open, with those
 * @param unacked subscriptions with messages that were sent to a consumer and not acknowledged
 */
public record LeftOpen(List<ClientSnapshot> clients, List<SubscriptionSnapshot> unacked) {
    public LeftOpen {
        clients = List.copyOf(clients);
        unacked = List.copyOf(unacked);
    }

    /** Whether nothing is left. */
    public boolean isEmpty() {
        return clients.isEmpty() && unacked.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(isEmpty() ? "nothing" : "");
        for (ClientSnapshot client : clients) {
            text.append("\n  the client ")
                    .append(client.version())
                    .append(" at ")
                    .append(client.address());
            for (OpenProducer producer : client.producers()) {
                text.append("\n    producer ")
                        .append(producer.name())
                        .append(" of ")
                        .append(producer.topic());
            }
            for (OpenConsumer consumer : client.consumers()) {
                text.append("\n    ").append(consumer.description());
            }
        }
        for (SubscriptionSnapshot subscription : unacked) {
            text.append("\n  subscription ")
                    .append(subscription.name())
                    .append(" of ")
                    .append(subscription.topic())
                    .append(": sent and not acknowledged: ")
                    .append(subscription.unacked());
        }
        return text.toString();
    }
}
