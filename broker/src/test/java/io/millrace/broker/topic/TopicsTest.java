package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionLimits;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.inspect.SubscriptionSnapshot;
import io.millrace.broker.log.DiskFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicsTest {
    @TempDir
    Path folder;

    @Test
    void askingTwiceForANameGivesTheSameTopic() throws Exception {
        try (OpenTopics open = new OpenTopics(folder)) {
            TopicName name = TopicName.parse("orders");
            CompletionStage<Topic> first = open.topics.open(name);
            CompletionStage<Topic> second = open.topics.open(name);
            assertThat(first.toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isSameAs(second.toCompletableFuture().get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void topicsAreListedOverARestartWithoutBeingOpened() throws Exception {
        try (OpenTopics open = new OpenTopics(folder)) {
            List<CompletableFuture<Topic>> opening = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                opening.add(open.topics.open(TopicName.parse("t/n/x" + i)).toCompletableFuture());
            }
            for (CompletableFuture<Topic> topic : opening) {
                topic.get(10, TimeUnit.SECONDS);
            }
        }
        try (OpenTopics open = new OpenTopics(folder)) {
            assertThat(open.topics.names().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .hasSize(200)
                    .contains("persistent://t/n/x7")
                    .isSorted();
            assertThat(open.runtime.snapshot().streams()).hasSize(1);
        }
    }

    @Test
    void subscriptionsInUseAreToldInOrderAndNoTopicIsOpenedForThat() throws Exception {
        try (OpenTopics open = new OpenTopics(folder)) {
            for (String name : List.of("t/n/b", "t/n/a", "t/n/unused", "t/other/c")) {
                RecordingConsumer.subscribedTo(open.open(name), "s", SubscriptionType.SHARED, StartAt.LATEST);
            }
        }
        try (OpenTopics open = new OpenTopics(folder)) {
            for (String name : List.of("t/n/b", "t/n/a", "t/other/c", "non-persistent://t/n/live")) {
                RecordingConsumer.subscribedTo(open.open(name), "s", SubscriptionType.SHARED, StartAt.LATEST);
            }
            assertThat(topicsWithSubscriptions(open, "persistent://t/n/"))
                    .containsExactly("persistent://t/n/a", "persistent://t/n/b");
            assertThat(topicsWithSubscriptions(open, "non-persistent://")).containsExactly("non-persistent://t/n/live");
            assertThat(open.topics.find(name -> true).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .hasSize(4)
                    .doesNotContainKey(TopicName.parse("t/n/unused"));
        }
    }

    private static List<String> topicsWithSubscriptions(OpenTopics open, String prefix) throws Exception {
        return open.topics.subscriptions(prefix).toCompletableFuture().get(10, TimeUnit.SECONDS).stream()
                .map(SubscriptionSnapshot::topic)
                .toList();
    }

    @Test
    void aClosedTopicIsOpenedAnew() throws Exception {
        try (OpenTopics open = new OpenTopics(folder)) {
            Topic first = open.open("orders");
            first.close().toCompletableFuture().get(10, TimeUnit.SECONDS);
            Topic second = open.open("orders");
            RecordingProducer producer = RecordingProducer.attachedTo(second, ProducerOptions.unnamed());
            open.publish(producer, 0, "again");
            assertThat(producer.nextAnswer().failure()).isNull();
        }
    }

    @Test
    void afterClosingEveryRequestIsRefused() throws Exception {
        OpenTopics open = new OpenTopics(folder);
        Topic topic = open.open("orders");
        open.close();
        assertThatThrownBy(() -> open.open("orders"))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.SERVICE_NOT_READY));
        assertThatThrownBy(() -> RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.SERVICE_NOT_READY));
    }

    @Test
    void theLimitsOnProducersAndSubscriptionsHold() throws Exception {
        TopicLimits limits = new TopicLimits(
                1, 1, 1, SubscriptionLimits.DEFAULTS, new TopicLimits.InMemory(Duration.ofSeconds(60), 100));
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), limits)) {
            Topic topic = open.open("orders");
            RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
            assertThatThrownBy(() -> RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()))
                    .hasMessageContaining("max-producers-per-topic=1");
        }
    }
}
