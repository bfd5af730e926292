package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.DiskFiles;
import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may publish to a topic, and in which epoch, as Pulsar 4.2.4 decides it. */
@Timeout(60)
class ProducerAccessTest {
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
    }

    @Test
    @Behaviour("PRO-4")
    void everyExclusiveProducerBeginsAnEpoch() throws Exception {
        ProducerHandle shared = attached(ask("shared", AccessMode.SHARED));
        assertThat(shared.topicEpoch()).isEqualTo(ProducerOptions.NO_TOPIC_EPOCH);
        shared.close();
        List<AccessMode> alone =
                List.of(AccessMode.EXCLUSIVE, AccessMode.EXCLUSIVE_WITH_FENCING, AccessMode.WAIT_FOR_EXCLUSIVE);
        for (int epoch = 0; epoch < alone.size(); epoch++) {
            ProducerHandle only = attached(ask("only", alone.get(epoch)));
            assertThat(only.topicEpoch()).isEqualTo(epoch);
            only.close();
        }
        assertThat(attached(ask("shared", AccessMode.SHARED)).topicEpoch()).isEqualTo(2);
    }

    @Test
    @Behaviour("PRO-4")
    void waitingProducersHaveTheTopicInTurn() throws Exception {
        ProducerHandle holder = attached(ask("holder", AccessMode.EXCLUSIVE));
        Asked first = ask("first", AccessMode.WAIT_FOR_EXCLUSIVE);
        Asked second = ask("second", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(first.producer.nextWaiting()).isEqualTo("first");
        assertThat(second.producer.nextWaiting()).isEqualTo("second");
        assertRefused(ask("shared", AccessMode.SHARED), ErrorKind.PRODUCER_BUSY);
        assertRefused(ask("exclusive", AccessMode.EXCLUSIVE), ErrorKind.PRODUCER_FENCED);
        holder.close();
        ProducerHandle next = attached(first);
        assertThat(next.topicEpoch()).isEqualTo(1);
        assertRefused(ask("shared", AccessMode.SHARED), ErrorKind.PRODUCER_BUSY);
        assertThat(second.reply).isNotDone();
        next.close();
        assertThat(attached(second).topicEpoch()).isEqualTo(2);
    }

    @Test
    @Behaviour("PRO-4")
    void aProducerWaitsForTheLastOfSeveral() throws Exception {
        ProducerHandle one = attached(ask("one", AccessMode.SHARED));
        ProducerHandle another = attached(ask("another", AccessMode.SHARED));
        Asked waiting = ask("waiting", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("waiting");
        assertRefused(ask("third", AccessMode.SHARED), ErrorKind.PRODUCER_BUSY);
        one.close();
        assertRefused(ask("third", AccessMode.SHARED), ErrorKind.PRODUCER_BUSY);
        assertThat(waiting.reply).isNotDone();
        another.close();
        assertThat(attached(waiting).topicEpoch()).isZero();
    }

    @Test
    @Behaviour("PRO-4")
    void whoNoLongerWaitsIsPassedOver() throws Exception {
        ProducerHandle holder = attached(ask("holder", AccessMode.SHARED));
        Asked gone = ask("gone", AccessMode.WAIT_FOR_EXCLUSIVE);
        Asked waiting = ask("waiting", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("waiting");
        gone.reply.completeExceptionally(new IllegalStateException("it left"));
        holder.close();
        ProducerHandle next = attached(waiting);
        assertThat(next.topicEpoch()).isZero();
        Asked left = ask("left", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(left.producer.nextWaiting()).isEqualTo("left");
        left.reply.completeExceptionally(new IllegalStateException("it left"));
        next.close();
        attached(ask("shared", AccessMode.SHARED));
    }

    @Test
    @Behaviour("PRO-4")
    void aFencingProducerPushesOutWhoIsThereAndWhoWaits() throws Exception {
        Asked holder = ask("holder", AccessMode.EXCLUSIVE);
        attached(holder);
        Asked waiting = ask("waiting", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("waiting");
        ProducerHandle fencing = attached(ask("fencing", AccessMode.EXCLUSIVE_WITH_FENCING));
        assertThat(fencing.topicEpoch()).isEqualTo(1);
        assertRefused(waiting, ErrorKind.PRODUCER_FENCED);
        assertThat(holder.producer.nextClose()).isEqualTo(CloseReason.FENCED);
    }

    @Test
    @Behaviour("PRO-4")
    void whoWaitsAndWhoFencesNeedNoRoomBesideTheOneThatThePolicyAllows() throws Exception {
        topic = topic.under(TopicRules.NONE.with(Map.of(TopicRules.MAX_PRODUCERS, "1")));
        ProducerHandle holder = attached(ask("holder", AccessMode.EXCLUSIVE));
        Asked first = ask("first", AccessMode.WAIT_FOR_EXCLUSIVE);
        Asked second = ask("second", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(first.producer.nextWaiting()).isEqualTo("first");
        assertThat(second.producer.nextWaiting()).isEqualTo("second");
        assertRefused(ask("shared", AccessMode.SHARED), ErrorKind.PRODUCER_BUSY);
        holder.close();
        attached(first);
        assertThat(attached(ask("fencing", AccessMode.EXCLUSIVE_WITH_FENCING)).topicEpoch())
                .isEqualTo(2);
        assertThat(first.producer.nextClose()).isEqualTo(CloseReason.FENCED);
        assertRefused(second, ErrorKind.PRODUCER_FENCED);
    }

    @Test
    @Behaviour("PRO-4")
    void noMoreProducersWaitThanTheBrokerTakes() throws Exception {
        open.close();
        TopicLimits limits = TopicLimits.DEFAULTS;
        open = new OpenTopics(
                folder, new DiskFiles(), new TopicLimits(1, 1, 1, limits.subscription(), limits.inMemory()));
        topic = open.open("orders");
        ProducerHandle holder = attached(ask("holder", AccessMode.EXCLUSIVE));
        Asked waiting = ask("waiting", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("waiting");
        assertRefused(ask("beyond", AccessMode.WAIT_FOR_EXCLUSIVE), ErrorKind.PRODUCER_BUSY);
        holder.close();
        attached(waiting);
    }

    @Test
    @Behaviour("PRO-4")
    void whoHadTheTopicInAnOlderEpochIsFenced() throws Exception {
        attached(ask("old", AccessMode.EXCLUSIVE));
        ProducerHandle current = attached(ask("new", AccessMode.EXCLUSIVE_WITH_FENCING));
        assertRefused(ask("old", AccessMode.EXCLUSIVE_WITH_FENCING, 0), ErrorKind.PRODUCER_FENCED);
        assertRefused(ask("old", AccessMode.EXCLUSIVE, 0), ErrorKind.PRODUCER_FENCED);
        Asked waiting = ask("old", AccessMode.WAIT_FOR_EXCLUSIVE, 0);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("old");
        current.close();
        assertRefused(waiting, ErrorKind.PRODUCER_FENCED);
        assertRefused(ask("old", AccessMode.EXCLUSIVE, 0), ErrorKind.PRODUCER_FENCED);
        assertRefused(ask("old", AccessMode.WAIT_FOR_EXCLUSIVE, 0), ErrorKind.PRODUCER_FENCED);
        ProducerHandle again = attached(ask("new", AccessMode.EXCLUSIVE, 1));
        assertThat(again.topicEpoch()).isEqualTo(1);
        again.close();
        assertThat(attached(ask("later", AccessMode.EXCLUSIVE, 50)).topicEpoch())
                .isEqualTo(50);
    }

    @Test
    @Behaviour("PRO-4")
    void whoWasPushedOutDoesNotComeBackFirstAfterARestart() throws Exception {
        ProducerHandle old = attached(ask("old", AccessMode.EXCLUSIVE));
        assertThat(old.topicEpoch()).isZero();
        attached(ask("new", AccessMode.EXCLUSIVE_WITH_FENCING)).close();
        open.close();
        open = new OpenTopics(folder);
        topic = open.open("orders");
        assertRefused(ask("old", AccessMode.EXCLUSIVE, 0), ErrorKind.PRODUCER_FENCED);
        ProducerHandle again = attached(ask("new", AccessMode.EXCLUSIVE, 1));
        assertThat(again.topicEpoch()).isEqualTo(1);
        again.close();
        assertThat(attached(ask("next", AccessMode.EXCLUSIVE)).topicEpoch()).isEqualTo(2);
    }

    @Test
    @Behaviour("PRO-4")
    void closingTheTopicAnswersWhoWaits() throws Exception {
        attached(ask("holder", AccessMode.SHARED));
        Asked waiting = ask("waiting", AccessMode.WAIT_FOR_EXCLUSIVE);
        assertThat(waiting.producer.nextWaiting()).isEqualTo("waiting");
        var unused = topic.close();
        assertRefused(waiting, ErrorKind.SERVICE_NOT_READY);
    }

    private record Asked(RecordingProducer producer, CompletableFuture<ProducerHandle> reply) {}

    private Asked ask(String name, AccessMode mode) {
        return ask(name, mode, ProducerOptions.NO_TOPIC_EPOCH);
    }

    private Asked ask(String name, AccessMode mode, long topicEpoch) {
        Asked asked = new Asked(new RecordingProducer(), new CompletableFuture<>());
        asked.producer.attach(topic, new ProducerOptions(name, false, 0, mode, topicEpoch), asked.reply);
        return asked;
    }

    private static ProducerHandle attached(Asked asked) throws Exception {
        return asked.reply.get(20, TimeUnit.SECONDS);
    }

    private static void assertRefused(Asked asked, ErrorKind kind) {
        assertThatThrownBy(() -> asked.reply.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(kind));
    }

    @Test
    @Behaviour("PRO-3")
    void whoWaitsForARivalIsAnsweredThoughTheTopicClosesMeanwhile() throws Exception {
        Asked silent = ask("same", AccessMode.SHARED);
        attached(silent);
        CompletableFuture<Boolean> lives = silent.producer.answersLater();
        Asked second = ask("same", AccessMode.SHARED);
        silent.producer.awaitAsked();
        topic.close().toCompletableFuture().get(10, TimeUnit.SECONDS);
        topic.stopped().toCompletableFuture().get(10, TimeUnit.SECONDS);
        lives.complete(true);
        assertThat(attached(second).name()).isEqualTo("same");
    }
}
