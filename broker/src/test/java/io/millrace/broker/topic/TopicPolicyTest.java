package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TopicPolicyTest {
    @TempDir
    Path folder;

    private OpenTopics open;
    private Topic topic;

    @BeforeEach
    void openTopic() throws Exception {
        open = new OpenTopics(folder);
        topic = open.open("orders");
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
        assertThat(open.unreleasedCount()).isZero();
    }

    private void apply(String key, String value) {
        topic.apply(AppliedPolicies.of(Map.of(key, value)));
    }

    private RecordingConsumer subscribe(String subscription) throws Exception {
        return RecordingConsumer.subscribedTo(topic, subscription, SubscriptionType.SHARED, StartAt.EARLIEST);
    }

    @Test
    void theSameConsumerSubscribesNoMoreOftenThanItsRate() throws Exception {
        apply(AppliedPolicies.SUBSCRIBE_RATE, "2,3600");
        subscribe("one");
        subscribe("two");
        assertThatThrownBy(() -> subscribe("one"))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(ErrorKind.NOT_ALLOWED))
                .hasMessageContaining("subscribe rate limit");
        topic.apply(AppliedPolicies.NONE);
        subscribe("one");
    }

    @Test
    void aTopicClosesThoughItsPublishesWaitForTheirRate() throws Exception {
        apply(AppliedPolicies.PUBLISH_RATE, "1,-1");
        RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        for (int i = 0; i < 500; i++) {
            open.publish(producer, i, "message " + i);
        }
        topic.close().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"persistent://public/default/raised", "non-persistent://public/default/raised"})
    void aRateThatIsRaisedDoesNotWaitForWhatTheOldOneHeldBack(String name) throws Exception {
        topic = open.open(name);
        apply(AppliedPolicies.PUBLISH_RATE, "-1,1");
        RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        open.publish(producer, 0, "x".repeat(1_000));
        producer.nextAnswer();
        apply(AppliedPolicies.PUBLISH_RATE, "-1,1000");
        open.publish(producer, 1, "y".repeat(1_200));
        open.publish(producer, 2, "z");
        assertThat(producer.nextAnswer().sequenceId()).isEqualTo(1);
        assertThat(producer.nextAnswer().sequenceId()).isEqualTo(2);
    }

    @Test
    void aQuotaIsLookedAtForEveryProducerAndNotForThoseWithoutOne() throws Exception {
        subscribe("slow");
        RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        for (int i = 0; i < 10; i++) {
            open.publish(producer, i, "message " + i);
            producer.nextAnswer();
        }
        apply(AppliedPolicies.SIZE_QUOTA, "100,-1,producer_exception");
        assertThatThrownBy(() -> RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(ErrorKind.QUOTA_EXCEEDED));
        apply(AppliedPolicies.SIZE_QUOTA, "1000000,-1,producer_exception");
        RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        topic.apply(AppliedPolicies.NONE);
        topic.checkBacklog();
        RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
    }

    @Test
    void consumersThatJoinAtOnceAreCountedOneAfterTheOther() throws Exception {
        apply(AppliedPolicies.MAX_CONSUMERS, "2");
        for (int round = 0; round < 300; round++) {
            List<CompletableFuture<RecordingConsumer>> racing = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String subscription = "round-" + round % 50 + "-" + i % 3;
                racing.add(CompletableFuture.supplyAsync(() -> joined(subscription)));
            }
            List<RecordingConsumer> joined = racing.stream()
                    .map(CompletableFuture::join)
                    .filter(Objects::nonNull)
                    .toList();
            assertThat(joined).as("round %s", round).hasSize(2);
            joined.forEach(RecordingConsumer::detach);
        }
    }

    @Test
    void subscriptionsThatNobodyUsesAreCountedTogetherWithThoseThatAreNotKept() throws Exception {
        subscribe("kept");
        topic.close().toCompletableFuture().get(20, TimeUnit.SECONDS);
        topic = open.open("orders").under(TopicRules.NONE.with(Map.of(TopicRules.MAX_SUBSCRIPTIONS, "2")));
        reader("reader");
        assertThatThrownBy(() -> reader("one too many"))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(ErrorKind.POLICY_LIMIT));
        subscribe("kept");
        reader("reader");
    }

    private RecordingConsumer reader(String subscription) throws Exception {
        return RecordingConsumer.subscribed(topic, subscription, false, SubscriptionType.SHARED, StartAt.EARLIEST);
    }

    private @Nullable RecordingConsumer joined(String subscription) {
        try {
            return subscribe(subscription);
        } catch (ExecutionException e) {
            assertThat(((BrokerException) e.getCause()).kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
            return null;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }
}
