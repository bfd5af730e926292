package io.millrace.spring;

import io.millrace.broker.topic.TopicName;
import io.millrace.junit.MillraceService;
import java.util.List;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.PulsarClientException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;

/**
 * Has the namespaces of topics there before an administration looks for them, as they are for clients: those of topics that are beans, and of
 * those that an administration of Spring's own class is told to make.
 */
final class TopicNamespaces implements BeanPostProcessor {
    private final ListableBeanFactory beans;

    TopicNamespaces(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PulsarTopic topic) {
            ensureNamespace(topic);
        }
        return bean.getClass() == PulsarAdministration.class ? new Administration((PulsarAdministration) bean) : bean;
    }

    private void ensureNamespace(PulsarTopic topic) {
        TopicName name = TopicName.parse(topic.topicName());
        beans.getBean(MillraceService.class).broker().createNamespace(name.tenant() + '/' + name.namespace());
    }

    /** One with the clients of another one, which is set up already. */
    private final class Administration extends PulsarAdministration {
        private final PulsarAdministration other;

        Administration(PulsarAdministration other) {
            super(List.of());
            this.other = other;
        }

        @Override
        public void afterSingletonsInstantiated() {
            // Those that were registered as they are have met no post-processor.
            beans.getBeansOfType(PulsarTopic.class, false, false)
                    .values()
                    .forEach(TopicNamespaces.this::ensureNamespace);
            other.afterSingletonsInstantiated();
        }

        @Override
        public PulsarAdmin createAdminClient() throws PulsarClientException {
            return other.createAdminClient();
        }

        @Override
        public void createOrModifyTopics(PulsarTopic... topics) {
            for (PulsarTopic topic : topics) {
                ensureNamespace(topic);
            }
            other.createOrModifyTopics(topics);
        }
    }
}
