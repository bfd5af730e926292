package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Position;
import io.millrace.broker.topic.TopicFigures.SubscriptionFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a topic's figures is never older than what happened before it is asked for. */
@Timeout(120)
class TopicFiguresTest {
    private static final int ENTRIES = 10;
    private static final int ROUNDS = 60;

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

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** The figures, which are kept from now on: asking again wakes nobody. */
    private TopicFigures atRest() throws Exception {
        await(topic.settled());
        CompletableFuture<TopicFigures> now = topic.figures().toCompletableFuture();
        while (!now.isDone()) {
            await(now);
            now = topic.figures().toCompletableFuture();
        }
        return now.join();
    }

    private DispatcherStats statsOf(String subscription) throws Exception {
        return await(topic.figures()).subscriptions().stream()
                .filter(each -> each.name().equals(subscription))
                .map(SubscriptionFigures::stats)
                .findFirst()
                .orElseThrow();
    }

    private List<Position> publish(int count) throws Exception {
        RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            open.publish(producer, i, "message " + i);
            positions.add(producer.nextAnswer().position());
        }
        producer.handle().close();
        return positions;
    }

    private RecordingConsumer subscribe(String subscription, boolean durable) throws Exception {
        return RecordingConsumer.subscribed(topic, subscription, durable, SubscriptionType.SHARED, StartAt.LATEST);
    }

    @Test
    void aTopicAtRestAnswersWithoutBeingWoken() throws Exception {
        RecordingProducer.attachedTo(topic, ProducerOptions.unnamed()); // a dispatcher still joins the tail for a while
        TopicFigures kept = atRest();
        assertThat(kept.producers()).hasSize(1);
        assertThat(await(topic.figures())).isSameAs(kept);
    }

    @Test
    void ratesAreNotKept() throws Exception {
        publish(1);
        await(topic.settled());
        TopicFigures first = await(topic.figures());
        assertThat(first.published().messageRate()).isPositive();
        assertThat(await(topic.figures())).isNotSameAs(first);
    }

    @Test
    void producersComeAndGo() throws Exception {
        for (int round = 0; round < 50; round++) {
            assertThat(atRest().producers()).isEmpty();
            RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
            assertThat(await(topic.figures()).producers()).hasSize(1);
            assertThat(atRest().producers()).hasSize(1);
            producer.handle().close();
            assertThat(await(topic.figures()).producers()).isEmpty();
        }
    }

    @Test
    void consumersComeAskForMessagesAndGo() throws Exception {
        for (int round = 0; round < 50; round++) {
            RecordingConsumer consumer = subscribe("audit", true);
            assertThat(statsOf("audit").consumers()).hasSize(1);
            atRest();
            consumer.tell(new DispatcherCommand.Flow(consumer, 7));
            assertThat(statsOf("audit").consumers().get(0).permits()).isEqualTo(1_007);
            atRest();
            consumer.detach();
            assertThat(statsOf("audit").consumers()).isEmpty();
        }
    }

    @Test
    void whatIsPublishedIsCountedOnceItHasItsReceipt() throws Exception {
        for (int round = 0; round < 30; round++) {
            topic = open.open("published-" + round);
            subscribeWithoutFlow("audit");
            RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
            atRest();
            open.publish(producer, 0, "one");
            producer.nextAnswer();
            assertThat(await(topic.figures()).published().messages()).isEqualTo(1);
            assertThat(statsOf("audit").backlogEntries()).isEqualTo(1);
        }
    }

    private RecordingConsumer subscribeWithoutFlow(String subscription) throws Exception {
        return RecordingConsumer.silent(topic, subscription, SubscriptionType.SHARED, StartAt.EARLIEST);
    }

    @Test
    void verbsOfAdministratorsAreSeenOnceTheyAreDone() throws Exception {
        List<Position> positions = publish(ENTRIES);
        reopen();
        await(topic.createSubscription("audit", StartAt.EARLIEST));
        assertThat(backlogAtRest()).isEqualTo(ENTRIES);
        await(topic.skip("audit", new SkipTarget.Entries(3)));
        assertThat(statsOf("audit").backlogEntries()).isEqualTo(ENTRIES - 3);
        assertThat(backlogAtRest()).isEqualTo(ENTRIES - 3);
        await(topic.seek("audit", new SeekTarget.ToPosition(positions.get(1), null)));
        assertThat(statsOf("audit").backlogEntries()).isEqualTo(ENTRIES - 1);
        assertThat(backlogAtRest()).isEqualTo(ENTRIES - 1);
        await(topic.deleteSubscription("audit", false));
        assertThat(await(topic.figures()).subscriptions()).isEmpty();
        RecordingConsumer unkept = subscribe("unkept", false);
        atRest();
        await(topic.setProperties("unkept", Map.of("a", "b")));
        assertThat(await(topic.figures()).subscriptions().get(0).properties()).containsEntry("a", "b");
        unkept.detach();
    }

    private long backlogAtRest() throws Exception {
        atRest();
        return statsOf("audit").backlogEntries();
    }

    @Test
    void whatADispatcherDoesByItselfIsSeenThoughSomebodyAsksAllTheTime() throws Exception {
        publish(ENTRIES);
        reopen();
        AtomicBoolean isOver = new AtomicBoolean();
        Topic asked = topic;
        CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                asked.figures().toCompletableFuture().join();
            }
        });
        for (int round = 0; round < 100; round++) {
            RecordingConsumer consumer = subscribeWithoutFlow("audit-" + round);
            consumer.tell(new DispatcherCommand.Flow(consumer, 3));
            for (int i = 0; i < 3; i++) {
                consumer.next();
            }
            assertThat(statsOf("audit-" + round).pendingEntries()).isEqualTo(3);
        }
        isOver.set(true);
        asking.get(20, TimeUnit.SECONDS);
    }

    /** Nothing of what passed before counts any more. */
    private void reopen() throws Exception {
        await(topic.close());
        topic = open.open("orders");
    }

    @Test
    void whoHoldsAClosedTopicHearsOfTheOneThatWasOpenedSince() throws Exception {
        Topic before = topic;
        atRest();
        reopen();
        assertThat(await(before.figures()).producers()).isEmpty();
        RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
        assertThat(await(before.figures()).producers()).hasSize(1);
    }

    /** Whether they are closed, unsubscribed or gone with their consumers; a look on the way sees no fewer, either. */
    @Test
    void whatEndedSubscriptionsSentIsNotForgotten() throws Exception {
        for (String name : List.of("orders", "non-persistent://public/default/live")) {
            Topic used = open.open(name);
            RecordingProducer producer = RecordingProducer.attachedTo(used, ProducerOptions.unnamed());
            for (int round = 0; round < ROUNDS; round++) {
                boolean isDurable = round % 2 == 0;
                RecordingConsumer consumer = RecordingConsumer.subscribed(
                        used, "s" + round, isDurable, SubscriptionType.EXCLUSIVE, StartAt.LATEST);
                open.publish(producer, round, "message " + round);
                consumer.next();
                assertThat(sent(used)).isEqualTo(round + 1);
                if (isDurable) {
                    consumer.unsubscribe();
                } else {
                    consumer.detach();
                }
                int left = -1;
                while (left != 0) {
                    assertThat(sent(used)).isEqualTo(round + 1);
                    left = await(used.mailbox().askFigures()).subscriptions().size();
                }
                assertThat(sent(used)).isEqualTo(round + 1);
            }
        }
    }

    private static long sent(Topic topic) throws Exception {
        return await(topic.mailbox().askFigures()).sent().messages();
    }
}
