package io.millrace.spring;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.pulsar.core.PulsarAdministration;
import org.springframework.pulsar.core.PulsarTopic;

/** Stands for the administration over HTTP, which the broker has not: topics that are declared as beans are made by their first use. */
final class TopicsOnFirstUse extends PulsarAdministration {
    private @Nullable ApplicationContext context;

    TopicsOnFirstUse() {
        super(List.of());
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
                throw new IllegalStateException(
                        "the topic " + topic.topicName() + " asks for " + topic.numberOfPartitions()
                                + " partitions, but Millrace has no partitioned topics: declare it with 0 in tests");
            }
        }
    }
}
