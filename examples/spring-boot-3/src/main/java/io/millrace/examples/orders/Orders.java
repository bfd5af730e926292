package io.millrace.examples.orders;

import org.springframework.pulsar.core.PulsarTemplate;
import org.springframework.stereotype.Service;

/** Where orders go. */
@Service
public class Orders {
    private final PulsarTemplate<Order> template;

    public Orders(PulsarTemplate<Order> template) {
        this.template = template;
    }

    public void place(Order order) {
        template.send("orders", order);
    }
}
