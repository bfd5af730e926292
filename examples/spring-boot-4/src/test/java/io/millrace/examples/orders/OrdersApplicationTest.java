package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.spring.AutoConfigureMillrace;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.pulsar.annotation.PulsarListener;

// snippet: spring
@SpringBootTest
@AutoConfigureMillrace
class OrdersApplicationTest {
    @Autowired
    Orders orders;

    @Autowired
    Guests guests;

    @Test
    void anOrderBecomesAMeal() {
        orders.place(new Order("Ada", "soup"));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(guests.served).contains("soup for Ada"));
    }

    @TestConfiguration
    static class Guests {
        final Queue<String> served = new ConcurrentLinkedQueue<>();

        @PulsarListener(topics = "meals", subscriptionName = "guests")
        void serve(String meal) {
            served.add(meal);
        }
    }
}
// end
