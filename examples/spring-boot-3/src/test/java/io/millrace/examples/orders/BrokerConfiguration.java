package io.millrace.examples.orders;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application may have a class of this name, as what its tests add to the context has another one. */
@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    /** What the application calls its broker. */
    record BrokerName(String text) {}

    @Bean
    BrokerName brokerName() {
        return new BrokerName("orders");
    }
}
