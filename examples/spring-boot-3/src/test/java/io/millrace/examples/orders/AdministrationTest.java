package io.millrace.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.junit.MillraceService;
import io.millrace.spring.AutoConfigureMillrace;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.internal.PulsarAdminImpl;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.pulsar.core.PulsarAdminBuilderCustomizer;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;
import org.springframework.test.context.ContextConfiguration;

/** The administration is Spring Boot's, or the application's own. */
class AdministrationTest {
    private static final String DEEP = "persistent://acme/dev/deep";

    @Nested
    @SpringBootTest(properties = "spring.pulsar.admin.read-timeout=7s")
    @AutoConfigureMillrace
    class OfSpringBoot {
        @Test
        void isMadeByThePropertiesAndCustomizers(
                @Autowired PulsarAdministration administration,
                @Autowired MillraceService millrace,
                @Autowired AtomicInteger customized)
                throws Exception {
            int before = customized.get();
            assertThat(before).as("clients that made the topics at the start").isPositive();
            try (PulsarAdmin admin = administration.createAdminClient()) {
                assertThat(customized).hasValue(before + 1);
                assertThat(admin.getServiceUrl()).isEqualTo(millrace.httpServiceUrl());
                assertThat(((PulsarAdminImpl) admin).getClientConfigData().getReadTimeoutMs())
                        .isEqualTo(7000);
                assertThat(admin.topics().getList("public/default")).contains("persistent://public/default/meals");
            }
        }

        @Test
        void makesTopicsInNamespacesThatThereAreNotYet(@Autowired PulsarAdministration administration)
                throws Exception {
            administration.createOrModifyTopics(new PulsarTopic(DEEP, 0));
            try (PulsarAdmin admin = administration.createAdminClient()) {
                assertThat(admin.topics().getList("acme/dev")).containsExactly(DEEP);
            }
        }

        @TestConfiguration
        static class Customizing {
            @Bean
            AtomicInteger customized() {
                return new AtomicInteger();
            }

            @Bean
            PulsarAdminBuilderCustomizer counting(AtomicInteger customized) {
                return builder -> customized.incrementAndGet();
            }
        }
    }

    @Nested
    @SpringBootTest
    @AutoConfigureMillrace
    class OfTheApplication {
        /** Says by its class whose it is. */
        static class Own extends PulsarAdministration {
            Own(String url) {
                super(url);
            }
        }

        @Test
        void isTheOnlyOneAndMakesTheTopicsThatAreBeans(@Autowired PulsarAdministration administration)
                throws Exception {
            assertThat(administration).isExactlyInstanceOf(Own.class);
            try (PulsarAdmin admin = administration.createAdminClient()) {
                assertThat(admin.topics().getList("acme/dev")).containsExactly(DEEP);
            }
        }

        @TestConfiguration
        static class Administering {
            @Bean
            PulsarAdministration pulsarAdministration(MillraceService millrace) {
                return new Own(millrace.httpServiceUrl());
            }

            @Bean
            PulsarTopic deep() {
                return new PulsarTopic(DEEP, 0);
            }
        }
    }

    /** What is registered as it is has met no post-processor. */
    @Nested
    @SpringBootTest
    @AutoConfigureMillrace
    @ContextConfiguration(initializers = OfARegisteredTopic.Registering.class)
    class OfARegisteredTopic {
        static class Registering implements ApplicationContextInitializer<ConfigurableApplicationContext> {
            @Override
            public void initialize(ConfigurableApplicationContext context) {
                context.getBeanFactory().registerSingleton("deep", new PulsarTopic(DEEP, 0));
            }
        }

        @Test
        void makesItsNamespaceToo(@Autowired PulsarAdministration administration) throws Exception {
            try (PulsarAdmin admin = administration.createAdminClient()) {
                assertThat(admin.topics().getList("acme/dev")).containsExactly(DEEP);
            }
        }
    }
}
