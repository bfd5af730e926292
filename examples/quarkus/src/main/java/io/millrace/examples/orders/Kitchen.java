package io.millrace.examples.orders;

import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

/** Cooks each order; what it cannot cook goes to a topic of its own. */
@ApplicationScoped
public class Kitchen {
    @Incoming("orders")
    @Outgoing("meals")
    @Blocking
    public String cook(Order order) {
        if (order.dish().isBlank()) {
            throw new IllegalArgumentException(order.guest() + " ordered nothing");
        }
        return order.dish() + " for " + order.guest();
    }
}
