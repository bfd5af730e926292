package io.millrace.examples.orders;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;

/** Where orders go. */
@ApplicationScoped
public class Orders {
    private final Emitter<Order> till;

    public Orders(@Channel("till") Emitter<Order> till) {
        this.till = till;
    }

    public CompletionStage<Void> place(Order order) {
        return till.send(order);
    }
}
