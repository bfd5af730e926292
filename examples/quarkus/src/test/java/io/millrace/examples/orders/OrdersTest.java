package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.quarkus.WithMillrace;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.junit.jupiter.api.Test;

// snippet: quarkus
@QuarkusTest
@WithMillrace
class OrdersTest {
    @Inject
    Orders orders;

    @Inject
    Guests guests;

    @Test
    void anOrderBecomesAMeal() {
        orders.place(new Order("Ada", "soup"));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(guests.served()).contains("soup for Ada"));
    }

    @ApplicationScoped
    static class Guests {
        private final Queue<String> served = new ConcurrentLinkedQueue<>();

        @Incoming("served")
        void serve(String meal) {
            served.add(meal);
        }

        Queue<String> served() {
            return served;
        }
    }
}
// end
