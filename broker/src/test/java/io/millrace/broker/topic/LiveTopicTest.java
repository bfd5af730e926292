package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A topic that stores nothing. */
@Timeout(60)
class LiveTopicTest {
    @TempDir
    Path folder;

    private OpenTopics open;
    private Topic topic;
    private RecordingProducer producer;

    @BeforeEach
    void openTopic() throws Exception {
        open = new OpenTopics(folder);
        topic = open.open("non-persistent://public/default/live");
        producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
        assertThat(open.unreleasedCount()).isZero();
        assertThat(producer.faults()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    @Behaviour("NS-11")
    void everySubscriptionGetsEveryEntryInOrderAndNothingIsStored(SubscriptionType type) throws Exception {
        List<RecordingConsumer> consumers = List.of(subscribe("a", type), subscribe("b", type));
        for (int i = 0; i < 300; i++) {
            open.publish(producer, i, "m" + i);
            assertThat(producer.nextAnswer().failure()).isNull();
        }
        for (RecordingConsumer consumer : consumers) {
            for (int i = 0; i < 300; i++) {
                assertThat(consumer.next().text()).isEqualTo("m" + i);
            }
            consumer.ack(new io.millrace.broker.log.Position(0, 5));
        }
        assertThat(open.log.topicNames()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SubscriptionType.class)
    @Behaviour("NS-12")
    void whatIsNotTakenIsDroppedAndCounted(SubscriptionType type) throws Exception {
        RecordingConsumer quick = subscribe("quick", SubscriptionType.SHARED);
        RecordingConsumer slow = new RecordingConsumer();
        SubscriptionHandle handle = topic.subscribe(
                        SubscribeRequests.durable("slow", StartAt.LATEST, slow, ConsumerOptions.of(7, "slow", type)))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        handle.tell(new DispatcherCommand.Flow(slow, 3));
        stats(handle);
        for (int i = 0; i < 50; i++) {
            open.publish(producer, i, "m" + i);
            assertThat(producer.nextAnswer().failure()).isNull();
        }
        for (int i = 0; i < 50; i++) {
            assertThat(quick.next().text()).isEqualTo("m" + i);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(slow.next().text()).isEqualTo("m" + i);
        }
        DispatcherStats.ConsumerStats counted = stats(handle).consumers().get(0);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (counted.droppedEntries() < 47 && System.nanoTime() - deadline < 0) {
            counted = stats(handle).consumers().get(0);
        }
        assertThat(counted.droppedEntries()).isEqualTo(47);
        assertThat(counted.permits()).isZero();
        assertThat(stats(handle).rates().dropped()).isPositive();
        handle.tell(new DispatcherCommand.Flow(slow, 1));
        stats(handle);
        open.publish(producer, 50, "m50");
        assertThat(slow.next().text()).isEqualTo("m50");
    }

    @Test
    @Behaviour("NS-11")
    void oneThatIsDurableGoesOnWithTheNextConsumerAndOthersEndWithTheirs() throws Exception {
        RecordingConsumer first = subscribe("s", SubscriptionType.EXCLUSIVE);
        first.detach();
        RecordingConsumer second = subscribe("s", SubscriptionType.SHARED);
        open.publish(producer, 1, "x");
        assertThat(second.next().text()).isEqualTo("x");
        second.unsubscribe();
        RecordingConsumer reader =
                RecordingConsumer.subscribed(topic, "r", false, SubscriptionType.EXCLUSIVE, StartAt.LATEST);
        reader.detach();
        RecordingConsumer again =
                RecordingConsumer.subscribed(topic, "r", false, SubscriptionType.EXCLUSIVE, StartAt.LATEST);
        stats(again.handle());
        open.publish(producer, 2, "y");
        assertThat(again.next().text()).isEqualTo("y");
        assertThat(first.hasNothing()).isTrue();
    }

    @Test
    @Behaviour("NS-11")
    void closingTellsEverybodyAndAnswersEveryPublish() throws Exception {
        RecordingConsumer consumer = subscribe("s", SubscriptionType.SHARED);
        for (int i = 0; i < 20; i++) {
            open.publish(producer, i, "m" + i);
        }
        topic.close().toCompletableFuture().get(10, TimeUnit.SECONDS);
        for (int i = 0; i < 20; i++) {
            assertThat(producer.nextAnswer().sequenceId()).isEqualTo(i);
        }
        assertThat(consumer.nextClose()).isEqualTo(CloseReason.TOPIC_CLOSED);
        assertThat(producer.nextClose()).isEqualTo(CloseReason.TOPIC_CLOSED);
    }

    private RecordingConsumer subscribe(String name, SubscriptionType type) throws Exception {
        RecordingConsumer consumer = RecordingConsumer.subscribedTo(topic, name, type, StartAt.LATEST);
        stats(consumer.handle());
        return consumer;
    }

    /** The dispatcher has got as far as this. */
    private static DispatcherStats stats(SubscriptionHandle handle) throws Exception {
        CompletableFuture<DispatcherStats> reply = new CompletableFuture<>();
        handle.tell(new DispatcherCommand.Stats(reply));
        return reply.get(10, TimeUnit.SECONDS);
    }
}
