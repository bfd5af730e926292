package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.LogState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicOnFaultyDiskTest {
    private static final String KIB = "x".repeat(1_024);

    @TempDir
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();
    private OpenTopics open;
    private Topic topic;
    private RecordingProducer producer;
    private long nextSequenceId;
    private long nextAnswer;

    @BeforeEach
    void openTopic() throws Exception {
        open = new OpenTopics(folder, disk, TopicLimits.DEFAULTS);
        topic = open.open("orders");
        producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
        assertThat(open.unreleasedCount()).isZero();
    }

    @Test
    @Behaviour("LOG-10")
    void aFullDiskRefusesPublishesInTheirOrderAndTakesThemAgainWhenThereIsRoom() throws Exception {
        RecordingConsumer consumer =
                RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        disk.full(true);
        RecordingProducer.Answer answer = publish();
        for (int i = 0; i < 10_000 && answer.failure() == null; i++) {
            answer = publish();
        }
        assertThat(answer.failure().kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR);
        assertThat(answer.failure()).hasMessageContaining("full");
        consumer.ack(consumer.next().position());
        assertThatThrownBy(() -> open.open("another"))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR));

        disk.full(false);
        awaitOpenLog();
        assertThat(publish().failure()).isNull();
        assertThat(open.open("another").name()).isEqualTo(TopicName.parse("another"));
    }

    @Test
    @Behaviour("LOG-10")
    void aFullDiskRefusesProducersOfTopicsThatExistWhileReadsAndAcknowledgementsGoOn() throws Exception {
        RecordingConsumer consumer =
                RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
        assertThat(publish().failure()).isNull();
        assertThat(publish().failure()).isNull();
        disk.full(true);
        send(5_000);
        for (int i = 0; i < 5_000; i++) {
            answer();
        }
        assertThatThrownBy(() -> RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR))
                .hasMessageContaining("full");
        consumer.ack(consumer.next().position());
        consumer.ack(consumer.next().position());

        disk.full(false);
        awaitOpenLog();
        assertThat(RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()))
                .isNotNull();
        assertThat(publish().failure()).isNull();
    }

    @Test
    @Behaviour({"LOG-10", "PRO-3"})
    void everyPublishOnItsWayWhenTheDiskFillsUpIsAnsweredInItsTurnWhileItIsFull() throws Exception {
        disk.full(true);
        send(5_000);
        awaitAnswersOfAFullDisk(5_000);
    }

    @Test
    @Behaviour({"LOG-10", "PRO-3"})
    void everyPublishThatHasItsPositionWhenTheDiskFillsUpIsAnsweredInItsTurn() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        disk.holdForces(letGo);
        send(5_000);
        awaitPositions(5_000);
        disk.full(true);
        letGo.countDown();
        awaitAnswersOfAFullDisk(5_000);
    }

    /** The first are stored, as far as the journal reaches, and all others refused; then there is room again. */
    private void awaitAnswersOfAFullDisk(int publishes) throws Exception {
        int stored = 0;
        int refused = 0;
        for (int i = 0; i < publishes; i++) {
            RecordingProducer.Answer answer = answer();
            if (answer.failure() == null) {
                stored++;
                assertThat(refused).as("refusals before a receipt").isZero();
            } else {
                refused++;
                assertThat(answer.failure()).hasMessageContaining("full");
            }
        }
        assertThat(stored).isPositive();
        assertThat(refused).isPositive();
        disk.full(false);
        awaitOpenLog();
        assertThat(publish().failure()).isNull();
    }

    @Test
    @Behaviour("LOG-2")
    void afterAFailedForceEveryPublishIsAnsweredWithAnError() throws Exception {
        assertThat(publish().failure()).isNull();
        disk.failForces();
        send(100);
        for (int i = 0; i < 100; i++) {
            assertThat(answer().failure().kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR);
        }
        assertThat(publish().failure().kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR);
        assertThatThrownBy(() -> open.open("another"))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR));
    }

    @Test
    @Behaviour({"LOG-1", "LOG-2"})
    void afterAFailedForceNoAcknowledgementGetsItsReceipt() throws Exception {
        RecordingConsumer consumer =
                RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.SHARED, StartAt.EARLIEST);
        assertThat(publish().failure()).isNull();
        assertThat(publish().failure()).isNull();
        consumer.ack(consumer.next().position());
        disk.failForces();
        Position second = consumer.next().position();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> consumer.ack(second))
                    .cause()
                    .isInstanceOfSatisfying(
                            BrokerException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.PERSISTENCE_ERROR));
        }
    }

    private RecordingProducer.Answer publish() throws Exception {
        send();
        return answer();
    }

    private void send(int publishes) {
        for (int i = 0; i < publishes; i++) {
            send();
        }
    }

    private void send() {
        open.publish(producer, nextSequenceId++, KIB);
    }

    private RecordingProducer.Answer answer() throws InterruptedException {
        RecordingProducer.Answer answer = producer.nextAnswer();
        assertThat(answer.sequenceId()).isEqualTo(nextAnswer++);
        return answer;
    }

    private void awaitPositions(int publishes) throws Exception {
        TopicLog log = open.log
                .openTopic(topic.name().toString())
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (log.lastAppended().entryId() < publishes - 1 && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(log.lastAppended().entryId()).isEqualTo(publishes - 1);
    }

    private void awaitOpenLog() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (open.log.state() != LogState.OPEN && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(open.log.state()).isEqualTo(LogState.OPEN);
    }
}
