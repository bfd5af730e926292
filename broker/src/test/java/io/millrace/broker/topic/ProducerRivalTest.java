package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A producer is asked whether it is alive, which ends it if it is silent, only where its end would let another one in. */
@Timeout(60)
class ProducerRivalTest {
    private OpenTopics open;
    private Topic topic;

    @BeforeEach
    void openTopic(@TempDir Path folder) throws Exception {
        open = new OpenTopics(folder);
        topic = open.open("orders");
    }

    @AfterEach
    void closeTopics() throws Exception {
        open.close();
    }

    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForAnExclusiveProducerBesideSeveral() throws Exception {
        RecordingProducer one = silent("one", AccessMode.SHARED);
        RecordingProducer two = silent("two", AccessMode.SHARED);
        assertRefused("exclusive", AccessMode.EXCLUSIVE, ErrorKind.PRODUCER_FENCED);
        assertRefused("one", AccessMode.EXCLUSIVE, ErrorKind.PRODUCER_BUSY);
        assertThat(one.timesAsked()).isZero();
        assertThat(two.timesAsked()).isZero();
    }

    @Test
    @Behaviour("PRO-11")
    void nobodyIsAskedForAProducerThatWaitsForSeveralOrBehindAnother() throws Exception {
        RecordingProducer one = silent("one", AccessMode.SHARED);
        RecordingProducer two = silent("two", AccessMode.SHARED);
        RecordingProducer first = new RecordingProducer();
        first.attach(topic, options("first", AccessMode.WAIT_FOR_EXCLUSIVE), new CompletableFuture<>());
        assertThat(first.nextWaiting()).isEqualTo("first");
        one.handle().close();
        RecordingProducer second = new RecordingProducer();
        second.attach(topic, options("second", AccessMode.WAIT_FOR_EXCLUSIVE), new CompletableFuture<>());
        assertThat(second.nextWaiting()).isEqualTo("second");
        assertRefused("shared", AccessMode.SHARED, ErrorKind.PRODUCER_BUSY);
        assertRefused("two", AccessMode.SHARED, ErrorKind.PRODUCER_BUSY);
        assertThat(one.timesAsked()).isZero();
        assertThat(two.timesAsked()).isZero();
    }

    @Test
    @Behaviour("PRO-11")
    void whoHasANameGivesWayBesideOthersIfItIsSilent() throws Exception {
        RecordingProducer one = silent("one", AccessMode.SHARED);
        RecordingProducer two = silent("two", AccessMode.SHARED);
        RecordingProducer next = RecordingProducer.attachedTo(topic, options("one", AccessMode.SHARED));
        assertThat(next.handle().name()).isEqualTo("one");
        one.handle().close(); // as its connection, which is closed by then, does
        assertThat(one.timesAsked()).isEqualTo(1);
        assertThat(two.timesAsked()).isZero();
    }

    private RecordingProducer silent(String name, AccessMode mode) throws Exception {
        RecordingProducer producer = RecordingProducer.attachedTo(topic, options(name, mode));
        producer.answersLater().complete(false);
        return producer;
    }

    private void assertRefused(String name, AccessMode mode, ErrorKind kind) {
        CompletableFuture<ProducerHandle> reply = new CompletableFuture<>();
        new RecordingProducer().attach(topic, options(name, mode), reply);
        assertThatThrownBy(() -> reply.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(kind));
    }

    private static ProducerOptions options(String name, AccessMode mode) {
        return new ProducerOptions(name, false, 0, mode, ProducerOptions.NO_TOPIC_EPOCH);
    }
}
