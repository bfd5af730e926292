package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Position;
import io.millrace.streams.inspect.IslandSnapshot;
import io.millrace.streams.inspect.StageSnapshot;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicSubscribeTest {
    @TempDir
    Path folder;

    private OpenTopics open;
    private Topic topic;
    private RecordingProducer producer;

    @BeforeEach
    void openTopic() throws Exception {
        open = new OpenTopics(folder);
        topic = open.open("orders");
        producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
        assertThat(open.unreleasedCount()).isZero();
    }

    @Test
    void everySubscriptionGetsEveryEntryInOrder() throws Exception {
        List<RecordingConsumer> consumers = List.of(
                subscribe("exclusive", SubscriptionType.EXCLUSIVE, StartAt.LATEST),
                subscribe("failover", SubscriptionType.FAILOVER, StartAt.LATEST),
                subscribe("shared", SubscriptionType.SHARED, StartAt.LATEST));
        for (int i = 0; i < 300; i++) {
            publish("message " + i);
        }
        for (RecordingConsumer consumer : consumers) {
            for (int i = 0; i < 300; i++) {
                assertThat(consumer.next().text()).isEqualTo("message " + i);
            }
        }
    }

    @Test
    void aNewSubscriptionStartsWhereItAsks() throws Exception {
        publish("one");
        Position second = publish("two");
        RecordingConsumer latest = subscribe("latest", SubscriptionType.EXCLUSIVE, StartAt.LATEST);
        RecordingConsumer earliest = subscribe("earliest", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        RecordingConsumer after = subscribe("after", SubscriptionType.EXCLUSIVE, new StartAt.After(second));
        RecordingConsumer sinceEver = subscribe("time", SubscriptionType.EXCLUSIVE, new StartAt.Time(0));
        publish("three");
        assertThat(latest.next().text()).isEqualTo("three");
        assertThat(earliest.next().text()).isEqualTo("one");
        assertThat(after.next().text()).isEqualTo("three");
        assertThat(sinceEver.next().text()).isEqualTo("one");
    }

    @Test
    @Behaviour("ACK-7")
    void aRestartKeepsTopicsSubscriptionsAndAcknowledgementHoles() throws Exception {
        RecordingConsumer consumer = subscribe("audit", SubscriptionType.SHARED, StartAt.EARLIEST);
        for (String text : List.of("a", "b", "c", "d")) {
            publish(text);
        }
        RecordingConsumer.Delivered first = consumer.next();
        RecordingConsumer.Delivered second = consumer.next();
        RecordingConsumer.Delivered third = consumer.next();
        assertThat(second.text()).isEqualTo("b");
        consumer.ack(first.position());
        consumer.ack(third.position());
        open.close();

        open = new OpenTopics(folder);
        assertThat(open.topics.names().toCompletableFuture().join())
                .containsExactly("persistent://public/default/orders");
        topic = open.open("orders");
        RecordingConsumer again = subscribe("audit", SubscriptionType.SHARED, StartAt.LATEST);
        assertThat(again.next().text()).isEqualTo("b");
        assertThat(again.next().text()).isEqualTo("d");
        assertThat(again.hasNothing()).isTrue();
    }

    @Test
    void aSubscriptionGoesOnWithItsNextConsumer() throws Exception {
        RecordingConsumer first = subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        publish("a");
        publish("b");
        first.ack(first.next().position());
        assertThat(first.next().text()).isEqualTo("b");
        first.detach();
        RecordingConsumer second = subscribe("audit", SubscriptionType.SHARED, StartAt.LATEST);
        assertThat(second.next()).satisfies(delivered -> {
            assertThat(delivered.text()).isEqualTo("b");
            assertThat(delivered.redeliveryCount()).isEqualTo(1);
        });
    }

    @Test
    @Behaviour("ACK-1")
    void aTakenExclusiveSubscriptionRefusesASecondConsumer() throws Exception {
        RecordingConsumer owner = subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        assertRefused("audit", true, ErrorKind.CONSUMER_BUSY);
        publish("still mine");
        assertThat(owner.next().text()).isEqualTo("still mine");
    }

    @Test
    void unsubscribingForgetsTheCursor() throws Exception {
        RecordingConsumer consumer = subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        publish("old");
        consumer.ack(consumer.next().position());
        consumer.unsubscribe();
        assertThat(open.log
                        .openTopic(topic.name().full())
                        .toCompletableFuture()
                        .join()
                        .cursorNames())
                .isEmpty();
        RecordingConsumer anew = subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        assertThat(anew.next().text()).isEqualTo("old");
    }

    @Test
    @Behaviour("ACK-1")
    void aSubscriptionThatIsCreatedWithoutAConsumerIsFreeForTheFirstOfAnyType() throws Exception {
        publish("before");
        create("letters");
        create("letters");
        publish("after");
        RecordingConsumer first = subscribe("letters", SubscriptionType.EXCLUSIVE, StartAt.LATEST);
        create("letters");
        assertThat(first.next().text()).isEqualTo("before");
        assertThat(first.next().text()).isEqualTo("after");
        first.unsubscribe();
        create("letters");
        RecordingConsumer second = subscribe("letters", SubscriptionType.FAILOVER, StartAt.LATEST);
        assertThat(second.next().text()).isEqualTo("before");
        open.close();
        open = new OpenTopics(folder);
        topic = open.open("orders");
        create("letters");
        assertThat(subscribe("letters", SubscriptionType.SHARED, StartAt.LATEST)
                        .next()
                        .text())
                .isEqualTo("before");
    }

    @Test
    @Behaviour("ACK-10")
    void aNonDurableSubscriptionVanishesWithItsLastConsumer() throws Exception {
        publish("a");
        RecordingConsumer reader =
                RecordingConsumer.subscribed(topic, "reader", false, SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        reader.ack(reader.next().position());
        reader.detach();
        reader.handle().dispatcher().whenTerminated().toCompletableFuture().join();
        RecordingConsumer anew =
                RecordingConsumer.subscribed(topic, "reader", false, SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        assertThat(anew.next().text()).isEqualTo("a");
    }

    @Test
    void oneNameIsNotBothDurableAndNot() throws Exception {
        subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        assertRefused("audit", false, ErrorKind.NOT_ALLOWED);
    }

    @Test
    void joiningWhileTheLastReaderLeavesIsAnswered() throws Exception {
        for (int i = 0; i < 200; i++) {
            RecordingConsumer reader =
                    RecordingConsumer.subscribed(topic, "reader", false, SubscriptionType.SHARED, StartAt.LATEST);
            reader.detach();
        }
    }

    @Test
    void closingTheTopicClosesItsConsumers() throws Exception {
        RecordingConsumer consumer = subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        topic.close().toCompletableFuture().join();
        assertThat(consumer.nextClose()).isEqualTo(CloseReason.TOPIC_CLOSED);
        topic = open.open("orders");
        subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
    }

    @Test
    void appendTailAndEachDispatcherAreStagesOfTheirOwn() throws Exception {
        subscribe("audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        subscribe("billing", SubscriptionType.SHARED, StartAt.EARLIEST);
        List<String> stages = open.runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .map(IslandSnapshot::stages)
                .flatMap(List::stream)
                .map(StageSnapshot::name)
                .filter(name -> name.startsWith("persistent://public/default/orders"))
                .toList();
        assertThat(stages)
                .satisfiesOnlyOnce(name -> assertThat(name).contains("/append"))
                .satisfiesOnlyOnce(name -> assertThat(name).contains("/tail"))
                .satisfiesOnlyOnce(name -> assertThat(name).contains("/dispatcher:audit"))
                .satisfiesOnlyOnce(name -> assertThat(name).contains("/dispatcher:billing"))
                .satisfiesOnlyOnce(name -> assertThat(name)
                        .contains("/producer:" + producer.handle().name()));
    }

    private RecordingConsumer subscribe(String subscription, SubscriptionType type, StartAt start) throws Exception {
        return RecordingConsumer.subscribedTo(topic, subscription, type, start);
    }

    private void create(String subscription) throws Exception {
        topic.createSubscription(subscription, StartAt.EARLIEST)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    private Position publish(String text) throws Exception {
        open.publish(producer, 0, text);
        RecordingProducer.Answer answer = producer.nextAnswer();
        assertThat(answer.failure()).isNull();
        return answer.position();
    }

    private void assertRefused(String subscription, boolean durable, ErrorKind kind) {
        assertThatThrownBy(() -> RecordingConsumer.subscribed(
                        topic, subscription, durable, SubscriptionType.EXCLUSIVE, StartAt.EARLIEST))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void whoStartsBeyondTheEndStartsThere() throws Exception {
        Position last = publish("one");
        Position beyond = new Position(last.ledgerId(), last.entryId() + 500);
        RecordingConsumer reader = RecordingConsumer.subscribed(
                topic, "reader", false, SubscriptionType.EXCLUSIVE, new StartAt.After(beyond));
        publish("two");
        assertThat(reader.next().text()).isEqualTo("two");
    }
}
