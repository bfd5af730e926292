package io.millrace.examples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.pulsar.core.PulsarTopic;

/** Takes orders, and has them cooked. */
@SpringBootApplication
public class OrdersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(OrdersApplication.class, arguments);
    }

    @Bean
    PulsarTopic meals() {
        return new PulsarTopic("persistent://public/default/meals", 0);
    }
}
