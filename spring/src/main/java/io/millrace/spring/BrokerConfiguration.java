package io.millrace.spring;

import io.millrace.junit.MillraceService;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The broker of a context. */
@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    @Bean(destroyMethod = "close")
    MillraceService millraceService() {
        return MillraceService.start();
    }

    @Bean
    static TopicNamespaces millraceTopicNamespaces(ListableBeanFactory beans) {
        return new TopicNamespaces(beans);
    }
}
