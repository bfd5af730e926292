package io.millrace.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.SlowDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics that nobody uses leave memory, and come back. */
class TopicUnloadTest {
    private static final TopicLimits AT_ONCE = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ZERO);
    private static final TopicLimits NEVER = TopicLimits.DEFAULTS.withUnloadIdleAfter(Duration.ofDays(1));
    private static final long COME_BACK_MILLIS = 10;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

    @TempDir
    Path folder;

    @Test
    void anIdleTopicLeavesMemoryAndComesBackWithinTenMilliseconds() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            useOnce(open, "orders", "one");
            long quickestMillis = Long.MAX_VALUE;
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (quickestMillis > COME_BACK_MILLIS && System.nanoTime() - end < 0) {
                awaitUnloaded(open);
                long started = System.nanoTime();
                RecordingProducer.attachedTo(open.open("orders"), ProducerOptions.unnamed())
                        .handle()
                        .close();
                quickestMillis = Math.min(quickestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
            }
            assertThat(quickestMillis).isLessThanOrEqualTo(COME_BACK_MILLIS);
            RecordingConsumer consumer = RecordingConsumer.subscribedTo(
                    open.open("orders"), "audit", SubscriptionType.SHARED, StartAt.LATEST);
            assertThat(consumer.next().text()).isEqualTo("one");
        }
    }

    @Test
    void anUnloadedTopicGoesOnInItsLedgerAndKeepsItsAcknowledgements() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            long ledgerId = useOnce(open, "orders", "one").position().ledgerId();
            awaitUnloaded(open);
            for (String text : List.of("two", "three")) {
                RecordingConsumer consumer = RecordingConsumer.subscribedTo(
                        open.open("orders"), "audit", SubscriptionType.SHARED, StartAt.LATEST);
                RecordingConsumer.Delivered delivered = consumer.next();
                assertThat(delivered.position().ledgerId()).isEqualTo(ledgerId);
                consumer.ack(delivered.position());
                consumer.detach();
                publish(open, "orders", text);
                awaitUnloaded(open);
            }
            RecordingConsumer consumer = RecordingConsumer.subscribedTo(
                    open.open("orders"), "audit", SubscriptionType.SHARED, StartAt.LATEST);
            assertThat(consumer.next().text()).isEqualTo("three");
            assertThat(consumer.hasNothing()).isTrue();
        }
    }

    @Test
    void whoSubscribesThroughATopicThatIsUnloadedMeanwhileHearsOfTheLastMessage() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            Topic before = open.open("orders");
            awaitUnloaded(open);
            RecordingConsumer consumer =
                    RecordingConsumer.subscribedTo(before, "audit", SubscriptionType.SHARED, StartAt.LATEST);
            RecordingProducer.Answer published = publish(open, "orders", "one");
            assertThat(consumer.next().text()).isEqualTo("one");
            assertThat(consumer.handle().lastMessage().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(new LastMessage(published.position(), -1));
        }
    }

    @Test
    void aTopicThatItsClientsHaveJustLeftIsReleasedAndOneInUseIsNot() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER)) {
            for (int i = 0; i < 200; i++) {
                TopicName name = TopicName.parse("topic-" + i);
                Topic topic = open.open(name.full());
                if (i % 2 == 0) { // else it is released in the moment after it was opened
                    RecordingProducer producer = RecordingProducer.attachedTo(topic, ProducerOptions.unnamed());
                    RecordingConsumer consumer =
                            RecordingConsumer.subscribedTo(topic, "audit", SubscriptionType.SHARED, StartAt.LATEST);
                    assertThatThrownBy(() -> release(open, name))
                            .hasRootCauseInstanceOf(BrokerException.class)
                            .hasMessageContaining("clients are connected to " + name.full());
                    producer.handle().close();
                    consumer.detach();
                }
                release(open, name);
            }
        }
    }

    /** A client waits for the topic that is being released, and opens it again before the release could be told. */
    @Test
    void aReleaseIsToldOnceATopicThatWasOpenedAgainMeanwhileIsReleasedToo() throws Exception {
        TopicName orders = TopicName.parse("orders");
        AtomicBoolean held = new AtomicBoolean();
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Disk disk = new SlowDisk(point -> {
            if (point == ForcePoint.JOURNAL_GROUP && held.get()) {
                reached.countDown();
                awaitUnchecked(goOn);
            }
        });
        try (OpenTopics open = new OpenTopics(folder, disk, NEVER)) {
            publish(open, "orders", "one");
            RecordingProducer other = RecordingProducer.attachedTo(open.open("other"), ProducerOptions.unnamed());
            held.set(true);
            open.publish(other, 0, "holds the journal up");
            awaitUnchecked(reached);
            CompletionStage<Void> first = open.topics.release(List.of(orders), true);
            await(() -> open.topics
                    .find(List.of(orders))
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS)
                    .isEmpty());
            CompletionStage<Topic> again = open.topics.open(orders);
            CompletionStage<Void> second = open.topics.release(List.of(orders), true);
            goOn.countDown();
            for (CompletionStage<Void> released : List.of(first, second)) {
                released.toCompletableFuture().get(10, TimeUnit.SECONDS);
                assertThat(again.toCompletableFuture()
                                .get(10, TimeUnit.SECONDS)
                                .stopped()
                                .toCompletableFuture())
                        .isDone();
            }
            assertThat(open.log.usedTopics()).as("only the other one").isEqualTo(1);
            publish(open, "orders", "two");
        } finally {
            goOn.countDown();
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void release(OpenTopics open, TopicName name) throws Exception {
        open.topics.release(List.of(name), false).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aTopicWithAProducerOrAConsumerStays() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            RecordingProducer producer =
                    RecordingProducer.attachedTo(open.open("published"), ProducerOptions.unnamed());
            RecordingConsumer consumer =
                    RecordingConsumer.subscribedTo(open.open("read"), "audit", SubscriptionType.SHARED, StartAt.LATEST);
            for (int i = 0; i < 20; i++) {
                useOnce(open, "other", "one");
            }
            open.publish(producer, 0, "still there");
            assertThat(producer.nextAnswer().failure()).isNull();
            publish(open, "read", "to the same consumer");
            assertThat(consumer.next().text()).isEqualTo("to the same consumer");
        }
    }

    @Test
    void whoeverComesWhileATopicIsUnloadedNoticesNothing() throws Exception {
        int threads = 4;
        int rounds = 150;
        ExecutorService clients = Executors.newFixedThreadPool(threads);
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            List<Future<List<String>>> sent = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int client = i;
                sent.add(clients.submit(() -> {
                    List<String> texts = new ArrayList<>();
                    for (int round = 0; round < rounds; round++) {
                        String text = client + "-" + round;
                        publish(open, "orders", text);
                        texts.add(text);
                        open.open("orders")
                                .createSubscription("kept", StartAt.EARLIEST)
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS);
                        consumeAtMostOne(open, client);
                    }
                    return texts;
                }));
            }
            List<String> expected = new ArrayList<>();
            for (Future<List<String>> texts : sent) {
                expected.addAll(texts.get(60, TimeUnit.SECONDS));
            }
            RecordingConsumer all = RecordingConsumer.subscribedTo(
                    open.open("orders"), "kept", SubscriptionType.SHARED, StartAt.EARLIEST);
            List<String> found = new ArrayList<>();
            for (int i = 0; i < expected.size(); i++) {
                found.add(all.next().text());
            }
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void aTopicThatHoldsNothingLeavesNoTrace() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            RecordingProducer.attachedTo(open.open("used"), ProducerOptions.unnamed())
                    .handle()
                    .close();
            open.open("asked-for");
            RecordingConsumer consumer = RecordingConsumer.subscribedTo(
                    open.open("subscribed"), "audit", SubscriptionType.SHARED, StartAt.LATEST);
            consumer.unsubscribe();
            useOnce(open, "kept", "one");
            awaitUnloaded(open);
            // The log deletes an empty topic when its stages have ended.
            await(() -> names(open).equals(List.of("persistent://public/default/kept")));
        }
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            assertThat(names(open)).containsExactly("persistent://public/default/kept");
        }
    }

    @Test
    void aTopicThatHeldNothingWhenTheBrokerEndedIsForgotten() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER)) {
            open.open("empty");
            useOnce(open, "kept", "one");
        }
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), AT_ONCE)) {
            await(() -> names(open).equals(List.of("persistent://public/default/kept")));
        }
    }

    @Test
    void idleTopicsMakeRoomForOthersWhenMemoryIsShort() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER.withMaxOpenTopics(50))) {
            for (int i = 0; i < 500; i++) {
                useOnce(open, "topic-" + i, "one");
            }
            assertThat(open.runtime.snapshot().streams()).hasSizeLessThan(500);
        }
    }

    @Test
    void topicsInUseKeepTheirRoomAndTheRefusalSaysWhatToDo() throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER.withMaxOpenTopics(2))) {
            RecordingProducer first = RecordingProducer.attachedTo(open.open("first"), ProducerOptions.unnamed());
            RecordingProducer second = RecordingProducer.attachedTo(open.open("second"), ProducerOptions.unnamed());
            assertThatThrownBy(() -> open.open("third"))
                    .hasRootCauseInstanceOf(BrokerException.class)
                    .rootCause()
                    .hasMessageContaining("third cannot be opened: 2 topics are in use")
                    .hasMessageContaining("-Xmx");
            open.publish(second, 0, "still there");
            assertThat(second.nextAnswer().failure()).isNull();
            first.handle().close();
            await(() -> isOpened(open, "third"));
        }
    }

    private static boolean isOpened(OpenTopics open, String topic) {
        return !open.topics
                .open(TopicName.parse(topic))
                .toCompletableFuture()
                .handle((t, failure) -> failure != null)
                .join();
    }

    private static void consumeAtMostOne(OpenTopics open, int client) throws Exception {
        RecordingConsumer consumer = RecordingConsumer.subscribedTo(
                open.open("orders"), "own-" + client, SubscriptionType.SHARED, StartAt.EARLIEST);
        consumer.ack(consumer.next().position());
        consumer.detach();
    }

    private static RecordingProducer.Answer useOnce(OpenTopics open, String topic, String text) throws Exception {
        RecordingConsumer consumer =
                RecordingConsumer.subscribedTo(open.open(topic), "audit", SubscriptionType.SHARED, StartAt.LATEST);
        consumer.detach();
        return publish(open, topic, text);
    }

    private static RecordingProducer.Answer publish(OpenTopics open, String topic, String text) throws Exception {
        RecordingProducer producer = RecordingProducer.attachedTo(open.open(topic), ProducerOptions.unnamed());
        open.publish(producer, 0, text);
        RecordingProducer.Answer answer = producer.nextAnswer();
        assertThat(answer.failure()).isNull();
        producer.handle().close();
        return answer;
    }

    private static List<String> names(OpenTopics open) throws Exception {
        return open.topics.names().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** Nothing runs but the directory. */
    private static void awaitUnloaded(OpenTopics open) throws Exception {
        await(() -> open.runtime.snapshot().streams().size() == 1);
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void whoWaitsForRoomIsServedOrRefusedOnceThereIsNone() throws Exception {
        int round = 0;
        while (!isServedWhileOthersWait(folder.resolve("round-" + round))) {
            round++;
        }
    }

    /** False if the first was refused at once, as the directory had not heard yet that a topic is idle. */
    private static boolean isServedWhileOthersWait(Path folder) throws Exception {
        try (OpenTopics open = new OpenTopics(folder, new DiskFiles(), NEVER.withMaxOpenTopics(2))) {
            RecordingProducer first = RecordingProducer.attachedTo(open.open("first"), ProducerOptions.unnamed());
            open.open("idle");
            CompletableFuture<ProducerHandle> attached = new CompletableFuture<>();
            CompletableFuture<Boolean> isServed = open.topics
                    .open(TopicName.parse("a"))
                    .thenCompose(topic -> {
                        new RecordingProducer().attach(topic, ProducerOptions.unnamed(), attached);
                        return attached;
                    })
                    .handle((handle, refused) -> refused == null)
                    .toCompletableFuture();
            List<CompletableFuture<?>> late = new ArrayList<>();
            for (String name : List.of("b", "c", "d")) {
                late.add(open.topics
                        .open(TopicName.parse(name))
                        .handle((topic, refused) -> "answered")
                        .toCompletableFuture());
            }
            for (CompletableFuture<?> each : late) {
                each.get(10, TimeUnit.SECONDS);
            }
            first.handle().close();
            return isServed.get(10, TimeUnit.SECONDS);
        }
    }
}
