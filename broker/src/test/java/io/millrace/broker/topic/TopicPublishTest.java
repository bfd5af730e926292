package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicPublishTest {
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

    @Test
    @Behaviour({"PRO-3", "LOG-7"})
    void receiptsOfManyProducersComeInSendOrderAtAscendingPositions() throws Exception {
        int publishes = 500;
        List<RecordingProducer> producers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            producers.add(attach(ProducerOptions.unnamed()));
        }
        for (int i = 0; i < publishes; i++) {
            for (RecordingProducer producer : producers) {
                open.publish(producer, i, "message " + i);
            }
        }
        Set<Position> positions = new HashSet<>();
        for (RecordingProducer producer : producers) {
            Position previous = Position.BEFORE_ALL;
            for (int i = 0; i < publishes; i++) {
                RecordingProducer.Answer answer = producer.nextAnswer();
                assertThat(answer.sequenceId()).isEqualTo(i);
                assertThat(answer.position()).isGreaterThan(previous);
                previous = answer.position();
                positions.add(previous);
            }
            assertThat(producer.faults()).isEmpty();
        }
        assertThat(positions).hasSize(20 * publishes);
    }

    @Test
    @Behaviour("PRO-4")
    void aTakenNameIsBusyAndStaysWithItsOwner() throws Exception {
        RecordingProducer owner = attach(ProducerOptions.named("till"));
        assertRefused(ProducerOptions.named("till"), ErrorKind.PRODUCER_BUSY, "till");
        open.publish(owner, 0, "still mine");
        assertThat(owner.nextAnswer().failure()).isNull();
    }

    @Test
    @Behaviour({"PRO-4", "PRO-5"})
    void aClosedProducerGivesItsNameBackAtOnceAndStillGetsItsReceipts() throws Exception {
        RecordingProducer first = attach(ProducerOptions.named("till"));
        for (int i = 0; i < 100; i++) {
            open.publish(first, i, "last words " + i);
        }
        first.handle().close();
        RecordingProducer second = attach(ProducerOptions.named("till"));
        for (int i = 0; i < 100; i++) {
            assertThat(first.nextAnswer().failure()).isNull();
        }
        open.publish(second, 0, "mine now");
        assertThat(second.nextAnswer().failure()).isNull();
    }

    @Test
    @Behaviour("PRO-4")
    void aHigherEpochFencesTheOlderProducer() throws Exception {
        RecordingProducer older = attach(again("till", 1));
        RecordingProducer newer = attach(again("till", 2));
        assertThat(older.nextClose()).isEqualTo(CloseReason.FENCED);
        open.publish(newer, 0, "mine now");
        assertThat(newer.nextAnswer().failure()).isNull();
        assertRefused(again("till", 2), ErrorKind.PRODUCER_BUSY, "till");
    }

    @Test
    void anExclusiveProducerIsAlone() throws Exception {
        RecordingProducer shared = attach(ProducerOptions.named("shared"));
        ProducerOptions exclusive = ProducerOptions.named("only", AccessMode.EXCLUSIVE);
        assertRefused(exclusive, ErrorKind.PRODUCER_FENCED, "shared");
        shared.handle().close();
        RecordingProducer only = attach(exclusive);
        assertRefused(ProducerOptions.unnamed(), ErrorKind.PRODUCER_BUSY, "only");
        only.handle().close();
        attach(ProducerOptions.unnamed());
    }

    @Test
    void unnamedProducersGetNamesOfTheirOwn() throws Exception {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            names.add(attach(ProducerOptions.unnamed()).handle().name());
        }
        names.add(RecordingProducer.attachedTo(open.open("other"), ProducerOptions.unnamed())
                .handle()
                .name());
        assertThat(names).hasSize(4).allMatch(name -> name.startsWith("millrace-"));
    }

    @Test
    void aClosedHandleReleasesWhatItIsGiven() throws Exception {
        RecordingProducer producer = attach(ProducerOptions.unnamed());
        producer.handle().close();
        assertThatThrownBy(() -> open.publish(producer, 0, "too late")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingTheTopicAnswersEveryPublishInOrder() throws Exception {
        RecordingProducer producer = attach(ProducerOptions.unnamed());
        open.publish(producer, 0, "its stream has begun");
        assertThat(producer.nextAnswer().failure()).isNull();
        int publishes = 2_000;
        for (int i = 1; i <= publishes; i++) {
            open.publish(producer, i, "in flight " + i);
        }
        topic.close().toCompletableFuture().join();
        int stored = 0;
        for (int i = 1; i <= publishes; i++) {
            RecordingProducer.Answer answer = producer.nextAnswer();
            assertThat(answer.sequenceId()).isEqualTo(i);
            stored += answer.failure() == null ? 1 : 0;
        }
        assertThat(stored).isPositive();
        assertThat(producer.nextClose()).isEqualTo(CloseReason.TOPIC_CLOSED);
        attach(ProducerOptions.unnamed()).handle().close();
    }

    @Test
    void lastMessageIsTheLastDurableOne() throws Exception {
        assertThat(topic.lastMessage().toCompletableFuture().join())
                .isEqualTo(new LastMessage(Position.BEFORE_ALL, -1));
        RecordingProducer producer = attach(ProducerOptions.unnamed());
        open.publish(producer, 0, "one");
        Position position = producer.nextAnswer().position();
        assertThat(topic.lastMessage().toCompletableFuture().join()).isEqualTo(new LastMessage(position, -1));
    }

    /** A producer whose name a broker has given it, connected once more. */
    private static ProducerOptions again(String name, long epoch) {
        return new ProducerOptions(name, true, epoch, AccessMode.SHARED, ProducerOptions.NO_TOPIC_EPOCH);
    }

    private RecordingProducer attach(ProducerOptions options) throws Exception {
        return RecordingProducer.attachedTo(topic, options);
    }

    private void assertRefused(ProducerOptions options, ErrorKind kind, String part) {
        assertThatThrownBy(() -> topic.attach(new RecordingProducer(), options)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .hasMessageContaining(part)
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
