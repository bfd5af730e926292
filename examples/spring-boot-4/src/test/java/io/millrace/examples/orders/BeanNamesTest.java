package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.MillraceService;
import io.millrace.spring.AutoConfigureMillrace;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

/** What {@link AutoConfigureMillrace} adds takes no name of the application's own classes. */
@SpringBootTest
@AutoConfigureMillrace
class BeanNamesTest {
    @Autowired
    ApplicationContext context;

    @Test
    void theApplicationHasItsOwnBrokerConfiguration() {
        assertThat(context.getBean("brokerConfiguration")).isInstanceOf(BrokerConfiguration.class);
        assertThat(context.getBean(BrokerConfiguration.BrokerName.class).text()).isEqualTo("orders");
        assertThat(context.getBean(MillraceService.class).serviceUrl()).startsWith("pulsar://");
    }
}
