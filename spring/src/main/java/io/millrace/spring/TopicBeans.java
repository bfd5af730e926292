package io.millrace.spring;

import io.millrace.broker.topic.TopicName;
import io.millrace.junit.MillraceService;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;

/** The administration of the context's broker, which also makes the namespaces of topics that are declared as beans. */
final class TopicBeans extends PulsarAdministration {
    private final MillraceService service;
    private @Nullable ApplicationContext context;

    TopicBeans(MillraceService service) {
        super(service.httpServiceUrl());
        this.service = service;
    }

    @Override
    public void setApplicationContext(ApplicationContext itsContext) {
        super.setApplicationContext(itsContext);
        context = itsContext;
    }

    @Override
    public void afterSingletonsInstantiated() {
        createOrModifyTopics(Objects.requireNonNull(context)
                .getBeansOfType(PulsarTopic.class, false, false)
                .values()
                .toArray(PulsarTopic[]::new));
    }

    @Override
    public void createOrModifyTopics(PulsarTopic... topics) {
        for (PulsarTopic topic : topics) {
            TopicName name = TopicName.parse(topic.topicName());
            service.broker().createNamespace(name.tenant() + '/' + name.namespace());
        }
        if (topics.length > 0) {
            super.createOrModifyTopics(topics);
        }
    }
}
