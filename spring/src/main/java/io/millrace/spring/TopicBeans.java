package io.millrace.spring;

import io.millrace.junit.MillraceService;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;

/**
 * Stands for the administration over HTTP, without a client for it: partitioned topics that are declared as beans are made in the process,
 * the others by their first use.
 */
final class TopicBeans extends PulsarAdministration {
    private final MillraceService service;
    private @Nullable ApplicationContext context;

    TopicBeans(MillraceService service) {
        super(List.of());
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
            if (topic.isPartitioned()) {
                service.createPartitionedTopic(topic.topicName(), topic.numberOfPartitions());
            }
        }
    }
}
