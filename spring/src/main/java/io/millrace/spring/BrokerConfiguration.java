package io.millrace.spring;

import io.millrace.junit.MillraceService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.pulsar.core.PulsarAdministration;

/** The broker of a context. */
@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    @Bean(destroyMethod = "close")
    MillraceService millraceService() {
        return MillraceService.start();
    }

    @Bean
    PulsarAdministration pulsarAdministration(MillraceService service) {
        return new TopicBeans(service);
    }
}
