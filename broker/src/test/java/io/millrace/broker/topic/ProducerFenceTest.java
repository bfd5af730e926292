package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a producer has published, and what waits for the rate of its topic, when another has the topic for itself. */
@Timeout(60)
class ProducerFenceTest {
    private static final String STORED = "persistent://public/default/orders";
    private static final String LIVE = "non-persistent://public/default/orders";

    @TempDir
    Path folder;

    private OpenTopics open;
    private Topic topic;
    private RecordingConsumer consumer;

    @BeforeEach
    void openTopics() throws Exception {
        open = new OpenTopics(folder);
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
        assertThat(open.unreleasedCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, LIVE})
    @Behaviour("PRO-4")
    void whatWaitsOfAFencedProducerIsRefused(String name) throws Exception {
        RecordingProducer old = withOneThatWaits(name, AccessMode.SHARED);
        RecordingProducer next =
                RecordingProducer.attachedTo(topic, ProducerOptions.named("next", AccessMode.EXCLUSIVE_WITH_FENCING));
        topic.apply(AppliedPolicies.NONE);
        assertOnlyOfNext(old, next, ErrorKind.PRODUCER_FENCED);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, LIVE})
    @Behaviour("PRO-4")
    void whatWaitsOfAnExclusiveProducerThatLeftIsRefused(String name) throws Exception {
        RecordingProducer old = withOneThatWaits(name, AccessMode.EXCLUSIVE);
        old.handle().close();
        RecordingProducer next =
                RecordingProducer.attachedTo(topic, ProducerOptions.named("next", AccessMode.EXCLUSIVE));
        topic.apply(AppliedPolicies.NONE);
        assertOnlyOfNext(old, next, ErrorKind.SERVICE_NOT_READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, LIVE})
    @Behaviour("PRO-3")
    void whatWaitsOfAProducerThatLeftIsRefused(String name) throws Exception {
        RecordingProducer old = withOneThatWaits(name, AccessMode.SHARED);
        old.handle().close();
        RecordingProducer next = RecordingProducer.attachedTo(topic, ProducerOptions.named("next"));
        topic.apply(AppliedPolicies.NONE);
        assertOnlyOfNext(old, next, ErrorKind.SERVICE_NOT_READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, LIVE})
    @Behaviour("PRO-3")
    void whatWaitsOfAProducerIsRefusedWhenItComesBack(String name) throws Exception {
        open(name);
        RecordingProducer old =
                RecordingProducer.attachedTo(topic, new ProducerOptions("it", true, 0, AccessMode.SHARED, -1));
        publishBeyondTheRate(old);
        RecordingProducer next =
                RecordingProducer.attachedTo(topic, new ProducerOptions("it", true, 1, AccessMode.SHARED, -1));
        topic.apply(AppliedPolicies.NONE);
        assertOnlyOfNext(old, next, ErrorKind.PRODUCER_FENCED);
    }

    private void open(String name) throws Exception {
        topic = open.open(name);
        consumer = RecordingConsumer.subscribedTo(topic, "s", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        CompletableFuture<DispatcherStats> there = new CompletableFuture<>();
        consumer.tell(new DispatcherCommand.Stats(there));
        there.get(10, TimeUnit.SECONDS);
        topic.apply(AppliedPolicies.of(Map.of(AppliedPolicies.PUBLISH_RATE, "-1,1")));
    }

    private RecordingProducer withOneThatWaits(String name, AccessMode mode) throws Exception {
        open(name);
        RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.named("old", mode));
        publishBeyondTheRate(producer);
        return producer;
    }

    /** The first has the next wait for a quarter of an hour. */
    private void publishBeyondTheRate(RecordingProducer producer) throws Exception {
        open.publish(producer, 0, "x".repeat(1_000));
        assertThat(producer.nextAnswer().failure()).isNull();
        open.publish(producer, 1, "of the old");
    }

    private void assertOnlyOfNext(RecordingProducer old, RecordingProducer next, ErrorKind kind) throws Exception {
        RecordingProducer.Answer answer = old.nextAnswer();
        assertThat(answer.sequenceId()).isEqualTo(1);
        assertThat(answer.failure()).isNotNull();
        assertThat(answer.failure().kind()).isEqualTo(kind);
        open.publish(next, 0, "of the next");
        assertThat(next.nextAnswer().failure()).isNull();
        String taken = consumer.next().text();
        assertThat(taken.startsWith("x") ? consumer.next().text() : taken).isEqualTo("of the next");
    }
}
