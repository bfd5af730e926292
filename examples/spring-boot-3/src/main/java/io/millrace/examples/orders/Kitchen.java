package io.millrace.examples.orders;

import org.apache.pulsar.client.api.SubscriptionType;
import org.springframework.pulsar.annotation.PulsarListener;
import org.springframework.pulsar.core.PulsarTemplate;
import org.springframework.stereotype.Component;

/** Cooks each order. */
@Component
public class Kitchen {
    private final PulsarTemplate<String> template;

    public Kitchen(PulsarTemplate<String> template) {
        this.template = template;
    }

    @PulsarListener(topics = "orders", subscriptionName = "kitchen", subscriptionType = SubscriptionType.Shared)
    public void cook(Order order) {
        template.send("meals", order.dish() + " for " + order.guest());
    }
}
