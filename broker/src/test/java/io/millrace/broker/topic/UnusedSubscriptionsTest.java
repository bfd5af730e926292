package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicFacts;
import io.millrace.broker.log.TopicFacts.CursorFacts;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Durable subscriptions that nobody uses, of a topic that is in use, are only cursors after a while. */
@Timeout(120)
class UnusedSubscriptionsTest {
    /** A topic is to be opened again once it is in use: before that it may be left, and then nothing is known of it there. */
    private static final TopicLimits AT_ONCE = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ZERO);

    private static final TopicLimits NEVER = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofDays(1));
    private static final int SMALL_HEAP = 8 << 20;
    private static final int MANY = 1_200;
    private static final int ROUNDS = 150;

    private final MemoryBudget memory = new MemoryBudget(1L << 30);

    @TempDir
    Path folder;

    @Test
    void oneThatItsConsumerLeftTakesNoMemoryAndGoesOnWhereItWas() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer producer = RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            Topic topic = open.open("orders"); // it may have been unloaded before the producer came
            RecordingConsumer consumer =
                    RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
            await(topic.setProperties("audit", Map.of("team", "a")));
            publish(open, producer, 0, 3);
            consumer.next();
            consumer.ack(consumer.next().position());
            consumer.detach();
            awaitClosed(topic);
            CursorFacts cursor = cursors(open).get(0);
            assertThat(cursor.backlogEntries()).isEqualTo(2);
            assertThat(cursor.properties()).containsEntry("team", "a");
            assertThat(await(topic.subscriptionNames())).containsExactly("audit");
            publish(open, producer, 3, 1);
            RecordingConsumer next =
                    RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.SHARED, StartAt.LATEST);
            assertThat(List.of(
                            next.next().text(), next.next().text(), next.next().text()))
                    .containsExactly("message 0", "message 2", "message 3");
        }
    }

    @Test
    void oneThatWasMadeOrAskedWithoutAConsumerIsClosedToo() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer producer = RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            Topic topic = open.open("orders");
            await(topic.createSubscription("audit", StartAt.EARLIEST));
            publish(open, producer, 0, 5);
            awaitClosed(topic);
            await(topic.skip("audit", new SkipTarget.Entries(2)));
            awaitClosed(topic);
            assertThat(cursors(open).get(0).backlogEntries()).isEqualTo(3);
            await(topic.deleteSubscription("audit", false));
            assertThat(cursors(open)).isEmpty();
        }
    }

    @Test
    void oneThatIsOpenedForAQuestionCanBeDeletedAtOnce() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            Topic topic = open.open("orders");
            for (int round = 0; round < ROUNDS; round++) {
                CompletionStage<Void> made = topic.createSubscription("audit", StartAt.EARLIEST);
                if (round % 2 == 0) {
                    await(made);
                    awaitClosed(topic);
                }
                CompletableFuture<Position> asked = topic.locate("audit", 1).toCompletableFuture();
                await(topic.deleteSubscription("audit", false));
                assertThat(asked.isDone()).isTrue();
                assertThat(cursors(open)).isEmpty();
            }
        }
    }

    /** That of all partitions is deleted in the log first, then each topic is told. */
    @Test
    void oneThatIsDeletedInTheLogMeanwhileDoesNotComeBack() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            Topic topic = open.open("orders");
            TopicLog log = Objects.requireNonNull(topic.log());
            for (int round = 0; round < ROUNDS; round++) {
                await(topic.createSubscription("audit", StartAt.EARLIEST));
                if (round % 3 == 0) {
                    awaitClosed(topic);
                }
                CompletionStage<Position> before = topic.locate("audit", 1);
                if (round % 3 == 1) {
                    await(before);
                }
                CompletionStage<Void> deleted = log.deleteCursor("audit");
                CompletionStage<Position> after = topic.locate("audit", 1);
                await(deleted);
                for (CompletionStage<?> asked : List.of(before, after)) {
                    assertThat(refusal(asked)).isIn(null, ErrorKind.SUBSCRIPTION_NOT_FOUND);
                }
                assertThat(log.cursorNames()).isEmpty();
                assertThat(refusal(topic.deleteSubscription("audit", true)))
                        .isIn(null, ErrorKind.SUBSCRIPTION_NOT_FOUND);
                awaitClosed(topic);
            }
            await(topic.createSubscription("audit", StartAt.EARLIEST));
            assertThat(cursors(open)).hasSize(1);
        }
    }

    @Test
    void whatIsNotDurableOrNotStoredStays() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer.attachedTo(open.open("non-persistent://public/default/live"), ProducerOptions.unnamed());
            Topic topic = open.open("non-persistent://public/default/live");
            await(topic.createSubscription("audit", StartAt.EARLIEST));
            for (int i = 0; i < 50; i++) {
                await(topic.settled());
            }
            assertThat(await(topic.subscriptionNames())).containsExactly("audit");
        }
    }

    /** Consumers, administrators and the topic's own end come at any step of closing, and notice nothing. */
    @Test
    void whoeverComesWhileOneIsClosedNoticesNothing() throws Exception {
        int threads = 3;
        int rounds = 200;
        ExecutorService clients = Executors.newFixedThreadPool(threads + 1);
        AtomicBoolean isOver = new AtomicBoolean();
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer producer = RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            publish(open, producer, 0, 2 * rounds);
            List<Future<?>> done = new ArrayList<>();
            for (int client = 0; client < threads; client++) {
                String name = "own-" + client;
                done.add(clients.submit(() -> {
                    Topic topic = open.open("orders");
                    await(topic.createSubscription(name, StartAt.EARLIEST));
                    for (int round = 0; round < rounds; round++) {
                        RecordingConsumer consumer =
                                RecordingConsumer.subscribedTo(topic, name, SubscriptionType.EXCLUSIVE, StartAt.LATEST);
                        RecordingConsumer.Delivered delivered = consumer.next();
                        assertThat(delivered.text()).isEqualTo("message " + 2 * round);
                        consumer.ack(delivered.position());
                        consumer.detach();
                        await(topic.skip(name, new SkipTarget.Entries(1)));
                        CursorState state = acknowledged(topic, name);
                        assertThat(state.markDelete()).isGreaterThan(delivered.position());
                        await(topic.createSubscription("gone-" + name, StartAt.EARLIEST));
                        await(topic.locate("gone-" + name, 1));
                        await(topic.deleteSubscription("gone-" + name, false));
                    }
                    return null;
                }));
            }
            Future<?> policies = clients.submit(() -> {
                Topic topic = open.open("orders");
                while (!isOver.get()) {
                    await(topic.expire(1)); // nothing is that old
                    await(topic.figures());
                }
                return null;
            });
            for (Future<?> each : done) {
                each.get(100, TimeUnit.SECONDS);
            }
            isOver.set(true);
            policies.get(20, TimeUnit.SECONDS);
            Topic topic = open.open("orders");
            awaitClosed(topic);
            assertThat(cursors(open)).hasSize(threads).allMatch(cursor -> cursor.backlogEntries() == 0);
        } finally {
            isOver.set(true);
            clients.shutdownNow();
        }
    }

    @Test
    void aTopicEndsWhileItsSubscriptionsAreClosed() throws Exception {
        TopicName orders = TopicName.parse("orders");
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            for (int round = 0; round < 150; round++) {
                Topic topic = open.open("orders");
                RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
                publish(open, producer, 0, 1);
                RecordingConsumer consumer =
                        RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
                consumer.ack(consumer.next().position());
                consumer.detach();
                CompletionStage<Void> kept = topic.createSubscription("kept-" + round % 3, StartAt.EARLIEST);
                if (round % 2 == 0) {
                    await(open.topics.release(List.of(orders), true));
                } else {
                    producer.handle().close(); // it is unloaded
                }
                kept.toCompletableFuture().handle((done, closed) -> null).get(20, TimeUnit.SECONDS);
            }
            assertThat(cursors(open))
                    .filteredOn(cursor -> cursor.name().equals("audit"))
                    .hasSize(1)
                    .allMatch(cursor -> cursor.backlogEntries() == 0);
        }
        assertThat(memory.heldBytes(Kind.SUBSCRIPTIONS)).isZero();
        assertThat(memory.heldBytes(Kind.ENTRIES)).isZero();
    }

    @Test
    void thoseThatNobodyUsesMakeRoomForOthers() throws Exception {
        MemoryBudget small = new MemoryBudget(SMALL_HEAP);
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, small)) {
            Topic topic = open.open("orders");
            RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
            publish(open, producer, 0, 2);
            for (int i = 0; i < MANY; i++) {
                RecordingConsumer consumer =
                        RecordingConsumer.subscribedTo(topic, "s-" + i, SubscriptionType.SHARED, StartAt.EARLIEST);
                consumer.ack(consumer.next().position());
                consumer.detach();
                assertThat(small.heldBytes(Kind.SUBSCRIPTIONS))
                        .isLessThanOrEqualTo(small.limitBytes(Kind.SUBSCRIPTIONS));
            }
            assertThat(cursors(open)).hasSize(MANY).allMatch(cursor -> cursor.backlogEntries() == 1);
            RecordingConsumer again =
                    RecordingConsumer.subscribedTo(topic, "s-0", SubscriptionType.SHARED, StartAt.LATEST);
            assertThat(again.next().text()).isEqualTo("message 1");
        }
        assertThat(small.heldBytes(Kind.SUBSCRIPTIONS)).isZero();
    }

    @Test
    void thoseOfOtherTopicsMakeRoomToo() throws Exception {
        int used = 200;
        MemoryBudget small = new MemoryBudget(SMALL_HEAP);
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, small)) {
            for (int i = 0; !small.isNearlyShort(Kind.SUBSCRIPTIONS); i++) {
                await(open.open("few-" + i).createSubscription("s", StartAt.EARLIEST));
            }
            Topic topic = open.open("orders");
            use(topic, 0, used);
            assertThat(await(topic.figures()).subscriptions()).hasSize(used);
        }
        assertThat(small.heldBytes(Kind.SUBSCRIPTIONS)).isZero();
    }

    @Test
    void theyGoOnMakingRoomThoughTopicsComeAndGo() throws Exception {
        int used = 200;
        MemoryBudget small = new MemoryBudget(SMALL_HEAP);
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, small)) {
            Topic few = open.open("few");
            Topic topic = open.open("orders");
            createUntilShort(few, "a", small);
            use(topic, 0, 1); // the topics are told
            long told = System.nanoTime();
            open.open("other");
            await(() -> System.nanoTime() - told > TimeUnit.MILLISECONDS.toNanos(1_100)); // and may be told again
            await(open.topics.release(List.of(TopicName.parse("other")), true));
            createUntilShort(few, "b", small);
            use(topic, 1, used);
            assertThat(await(topic.figures()).subscriptions()).hasSize(used + 1);
        }
    }

    private static void createUntilShort(Topic topic, String names, MemoryBudget memory) throws Exception {
        for (int i = 0; !memory.isNearlyShort(Kind.SUBSCRIPTIONS); i++) {
            await(topic.createSubscription(names + i, StartAt.EARLIEST));
        }
    }

    /** So many subscriptions with consumers, of which each may be refused until there is room. */
    private static void use(Topic topic, int first, int count) throws Exception {
        for (int i = first; i < first + count; i++) {
            SubscribeRequest request = SubscribeRequests.durable(
                    "s-" + i,
                    StartAt.LATEST,
                    new RecordingConsumer(),
                    ConsumerOptions.of(1, "consumer", SubscriptionType.SHARED));
            await(() -> {
                ErrorKind refusal = refusal(topic.subscribe(request));
                assertThat(refusal).isIn(null, ErrorKind.TOO_MANY_REQUESTS);
                return refusal == null;
            });
        }
    }

    @Test
    void whatExpiresOpensNone() throws Exception {
        leaveManyWithHoles();
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, memory)) {
            Topic topic = open.open("orders");
            RecordingConsumer used =
                    RecordingConsumer.subscribedTo(topic, "s-0", SubscriptionType.SHARED, StartAt.LATEST);
            RecordingConsumer.subscribed(topic, "reader", false, SubscriptionType.EXCLUSIVE, StartAt.EARLIEST);
            assertThat(used.next().text()).isEqualTo("message 0");
            long before = memory.heldBytes(Kind.SUBSCRIPTIONS);
            await(topic.expire(Long.MAX_VALUE));
            assertThat(memory.heldBytes(Kind.SUBSCRIPTIONS)).isEqualTo(before);
            assertThat(await(topic.figures()).subscriptions())
                    .hasSize(2)
                    .allMatch(each -> each.stats().backlogEntries() == 0);
            assertThat(cursors(open)).hasSize(MANY).allMatch(cursor -> cursor.backlogEntries() == 0);
        }
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, memory)) {
            assertThat(cursors(open)).hasSize(MANY).allMatch(cursor -> cursor.backlogEntries() == 0);
        }
    }

    @Test
    void anEvictionOpensNoneAndCountsWhatIsAcknowledged() throws Exception {
        leaveManyWithHoles();
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, memory)) {
            Topic topic = open.open("orders");
            CursorFacts before = cursors(open).get(0);
            assertThat(before.backlogEntries()).isEqualTo(9);
            long limit = before.backlogBytes() * 5 / 9; // an eviction leaves nine tenths of it: four entries
            topic.apply(
                    AppliedPolicies.of(Map.of(AppliedPolicies.SIZE_QUOTA, limit + ",-1,consumer_backlog_eviction")));
            topic.checkBacklog();
            await(() -> cursors(open).stream().allMatch(cursor -> cursor.backlogEntries() == 4));
            assertThat(memory.heldBytes(Kind.SUBSCRIPTIONS)).isZero();
            RecordingConsumer consumer =
                    RecordingConsumer.subscribedTo(topic, "s-7", SubscriptionType.SHARED, StartAt.LATEST);
            assertThat(consumer.next().text()).isEqualTo("message 6");
        }
    }

    @Test
    void whatExpiresWhileOneIsOpenedIsNotDelivered() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE, memory)) {
            RecordingProducer producer = RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed());
            Topic topic = open.open("orders");
            await(topic.createSubscription("audit", StartAt.EARLIEST));
            for (int round = 0; round < 200; round++) {
                publish(open, producer, round, 1);
                CompletionStage<Void> expired = topic.expire(Long.MAX_VALUE);
                CompletableFuture<Position> asked = topic.locate("audit", 1).toCompletableFuture();
                await(expired);
                await(asked);
                assertThat(acknowledged(topic, "audit").markDelete())
                        .isEqualTo(facts(open).lastDurable());
            }
        }
    }

    /** Leaves a stored topic with ten messages and many subscriptions, of which each has acknowledged the second. */
    private void leaveManyWithHoles() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER, memory)) {
            Topic topic = open.open("orders");
            RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
            publish(open, producer, 0, 10);
            for (int i = 0; i < MANY; i++) {
                RecordingConsumer consumer =
                        RecordingConsumer.subscribedTo(topic, "s-" + i, SubscriptionType.SHARED, StartAt.EARLIEST);
                consumer.next();
                consumer.ack(consumer.next().position());
            }
        }
    }

    private static void publish(OpenTopics open, RecordingProducer producer, int first, int count) throws Exception {
        for (int i = first; i < first + count; i++) {
            open.publish(producer, i, "message " + i);
            assertThat(producer.nextAnswer().failure()).isNull();
        }
    }

    private static List<CursorFacts> cursors(OpenTopics open) throws Exception {
        return facts(open).cursors();
    }

    private static TopicFacts facts(OpenTopics open) throws Exception {
        return await(open.log.facts(List.of("persistent://public/default/orders")))
                .get(0);
    }

    private static CursorState acknowledged(Topic topic, String name) throws Exception {
        CompletableFuture<CursorState> reply = new CompletableFuture<>();
        topic.mailbox()
                .tell(
                        new TopicCommand.AskSubscription(
                                name, asked -> new DispatcherCommand.Acknowledged(reply), reply),
                        reply);
        return await(reply);
    }

    /** No subscription has a dispatcher, or memory for one. */
    private void awaitClosed(Topic topic) throws Exception {
        await(() -> await(topic.figures()).subscriptions().isEmpty());
        await(() -> memory.heldBytes(Kind.SUBSCRIPTIONS) == 0);
    }

    /** Null if it is done. */
    private static @Nullable ErrorKind refusal(CompletionStage<?> asked) throws Exception {
        return asked.handle((done, failure) -> failure == null
                        ? null
                        : LogRefusal.of("a test", failure).kind())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
