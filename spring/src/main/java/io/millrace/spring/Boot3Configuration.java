package io.millrace.spring;

import io.millrace.junit.MillraceService;
import org.springframework.boot.autoconfigure.pulsar.PulsarConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How Spring Boot 3.5 connects. */
@Configuration(proxyBeanMethods = false)
class Boot3Configuration {
    @Bean
    PulsarConnectionDetails millraceConnectionDetails(MillraceService service) {
        return new PulsarConnectionDetails() {
            @Override
            public String getBrokerUrl() {
                return service.serviceUrl();
            }

            @Override
            public String getAdminUrl() {
                return service.httpServiceUrl();
            }
        };
    }
}
