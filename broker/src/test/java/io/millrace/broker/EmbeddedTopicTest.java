package io.millrace.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.SlowDisk;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics as the ends of streams in the broker's own process. */
@Timeout(60)
class EmbeddedTopicTest {
    private static final SourceOptions SHARED = SourceOptions.of(SubscriptionType.SHARED);

    /** So many large messages are held or on their way at most. */
    private static final int LARGE_AT_ONCE = 16;

    @TempDir
    Path folder;

    private final StreamRuntime runtime = StreamRuntime.create();
    private Broker broker;
    private BrokerTopic topic;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
        topic = broker.topic("embedded");
    }

    @AfterEach
    void stop() {
        broker.close();
        runtime.close();
    }

    @Test
    void whatIsAcknowledgedNeverComesAgainAndTheRestDoes() throws Exception {
        publish(1_000);
        List<CompletionStage<Void>> receipts =
                await(topic.source("s", SHARED).take(600).map(Delivery::ack).runWith(Sink.seq(), runtime));
        for (CompletionStage<Void> receipt : receipts) {
            await(receipt);
        }
        restart();
        List<String> rest = await(topic.source("s", SHARED)
                .map(delivery -> delivery.message().text())
                .take(400)
                .runWith(Sink.seq(), runtime));
        assertThat(rest).startsWith("message 600").endsWith("message 999").hasSize(400);
    }

    @Test
    void aSourceHoldsNoMoreThanItsBufferAndOthersGetTheRest() throws Exception {
        TestSink<Delivery> idle = topic.source("s", SHARED.withBufferMessages(10))
                .toMat(TestSink.probe(), Keep.right())
                .run(runtime);
        publish(100);
        List<Delivery> others = await(topic.source("s", SHARED).take(90).runWith(Sink.seq(), runtime));
        assertThat(others).hasSize(90);
        idle.request(4);
        assertThat(idle.expectNextN(4)).hasSize(4);
        idle.cancel();
    }

    @Test
    void aSourceHoldsNoMoreBytesThanSaidAndGoesOnOnceThereIsRoom() throws Exception {
        int messages = 2 * LARGE_AT_ONCE;
        TestSink<Delivery> idle =
                topic.source("s", SHARED).toMat(TestSink.probe(), Keep.right()).run(runtime);
        publishLarge(messages);
        SourceOptions patient = SHARED.withSettleTimeout(Duration.ofMinutes(1)); // for those acknowledged below
        List<Delivery> others =
                await(topic.source("s", patient).take(messages - LARGE_AT_ONCE).runWith(Sink.seq(), runtime));
        assertThat(others).hasSize(messages - LARGE_AT_ONCE);
        idle.request(LARGE_AT_ONCE);
        assertThat(idle.expectNextN(LARGE_AT_ONCE)).hasSize(LARGE_AT_ONCE);
        for (Delivery delivery : others) {
            await(delivery.ack());
        }
        publishLarge(messages);
        idle.request(messages);
        assertThat(idle.expectNextN(messages)).hasSize(messages);
        idle.cancel();
    }

    @Test
    void aPublishHasNoMoreBytesOnTheirWayThanSaid() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(LARGE_AT_ONCE);
        restart(new SlowDisk(point -> {
            if (point == ForcePoint.JOURNAL_GROUP && topic.name().endsWith("large")) {
                uninterruptibly(goesOn);
            }
        }));
        await(broker.topic("large").open());
        topic = broker.topic("large");
        AtomicInteger under = new AtomicInteger();
        List<Integer> most = await(Source.range(0, 4 * LARGE_AT_ONCE)
                .via(topic.<Integer>publish(i -> {
                    under.incrementAndGet();
                    goesOn.countDown();
                    return large();
                }))
                .map(i -> under.getAndDecrement())
                .runWith(Sink.seq(), runtime));
        assertThat(most).hasSize(4 * LARGE_AT_ONCE).allMatch(count -> count <= LARGE_AT_ONCE);
    }

    private void publishLarge(int count) {
        await(Source.range(0, count).map(i -> large()).runWith(topic.sink(), runtime));
    }

    private static Message large() {
        return Message.of("x".repeat(BrokerTopic.MAX_HELD_BYTES / LARGE_AT_ONCE));
    }

    @Test
    void aSubscriptionKeepsNothingOfTheSourcesThatHaveEnded() throws Exception {
        publish(1);
        List<WeakReference<SourceOptions>> ended = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            SourceOptions options = SHARED.withConsumerName("source " + i);
            Delivery delivery = await(topic.source("s", options).take(1).runWith(Sink.seq(), runtime))
                    .get(0);
            delivery.nack();
            ended.add(new WeakReference<>(options));
        }
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (kept(ended) > 1 && System.nanoTime() < endNanos) {
            System.gc();
        }
        assertThat(kept(ended)).as("ended sources that are still referenced").isLessThanOrEqualTo(1);
    }

    private static long kept(List<WeakReference<SourceOptions>> references) {
        return references.stream().filter(each -> each.get() != null).count();
    }

    @Test
    void whatASourceDidNotSettleGoesToTheNextWithItsCount() throws Exception {
        publish(3);
        SourceOptions hasty = SHARED.withSettleTimeout(Duration.ofMillis(1));
        await(topic.source("s", hasty).take(3).runWith(Sink.seq(), runtime));
        List<Delivery> again = await(topic.source("s", SHARED).take(3).runWith(Sink.seq(), runtime));
        assertThat(again)
                .allSatisfy(delivery -> assertThat(delivery.redeliveryCount()).isEqualTo(1));
    }

    @Test
    void whatASourceThatIsOverDidNotEmitComesBackOnce() throws Exception {
        publish(10);
        SourceOptions hasty = SHARED.withSettleTimeout(Duration.ofMillis(500));
        await(topic.source("s", hasty).take(1).runWith(Sink.seq(), runtime));
        List<Delivery> again = await(topic.source("s", SHARED).take(10).runWith(Sink.seq(), runtime));
        assertThat(again)
                .allSatisfy(delivery -> assertThat(delivery.redeliveryCount()).isLessThanOrEqualTo(1));
    }

    /** The client's answer to a negative acknowledgement where one consumer gets all: it begins again from there. */
    @Test
    void aMessageThatASingleConsumerGivesBackComesAgainWithAllBehindIt() throws Exception {
        for (SubscriptionType type : List.of(SubscriptionType.EXCLUSIVE, SubscriptionType.FAILOVER)) {
            BrokerTopic own = broker.topic("in order " + type);
            await(Source.range(0, 10).map(i -> Message.of("" + i)).runWith(own.sink(), runtime));
            AtomicInteger given = new AtomicInteger();
            List<String> texts = await(own.source("s", SourceOptions.of(type))
                    .mapAsync(1, delivery -> {
                        if (delivery.message().text().equals("3") && given.getAndIncrement() == 0) {
                            delivery.nack();
                            return CompletableFuture.completedFuture("3");
                        }
                        return delivery.ack()
                                .thenApply(receipt -> delivery.message().text());
                    })
                    .takeWhile(text -> !text.equals("9"))
                    .runWith(Sink.seq(), runtime));
            assertThat(texts.subList(texts.lastIndexOf("3"), texts.size())).endsWith("5", "6", "7", "8");
            assertThat(texts.subList(0, 5)).startsWith("0", "1", "2", "3");
            assertThat(texts).filteredOn("3"::equals).hasSize(2);
            assertThat(texts).filteredOn(text -> text.compareTo("6") >= 0).containsExactly("6", "7", "8");
        }
    }

    @Test
    void anAcknowledgementAfterTheSourceHasStoppedFails() throws Exception {
        publish(1);
        SourceOptions hasty = SHARED.withSettleTimeout(Duration.ofMillis(1));
        Delivery late = await(topic.source("s", hasty).take(1).runWith(Sink.seq(), runtime))
                .get(0);
        await(topic.source("s", SHARED).take(1).runWith(Sink.seq(), runtime))
                .get(0)
                .nack();
        assertThatThrownBy(() -> await(late.ack())).hasCauseInstanceOf(BrokerException.class);
    }

    @Test
    void anAcknowledgementOfASourceThatStopsIsToldOnceItIsDurable() throws Exception {
        AtomicBoolean holds = new AtomicBoolean();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        restart(new SlowDisk(point -> {
            if (point == ForcePoint.JOURNAL_GROUP && holds.get()) {
                held.countDown();
                uninterruptibly(goesOn);
            }
        }));
        publish(2);
        TestSink<Delivery> sink =
                topic.source("s", SHARED).toMat(TestSink.probe(), Keep.right()).run(runtime);
        List<Delivery> both = sink.request(2).expectNextN(2);
        holds.set(true);
        CompletionStage<Void> receipt = both.get(0).ack();
        assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
        runtime.close();
        assertThat(receipt.toCompletableFuture()).isNotDone();
        goesOn.countDown();
        await(receipt);
        try (StreamRuntime next = StreamRuntime.create()) {
            assertThat(await(topic.source("s", SHARED).take(1).runWith(Sink.seq(), next)))
                    .extracting(delivery -> delivery.message().text())
                    .containsExactly("message 1");
        }
    }

    @Test
    void anAcknowledgementThatMeetsTheEndOfItsSubscriptionFails() throws Exception {
        publish(1);
        CompletableFuture<Delivery> arrived = new CompletableFuture<>();
        CountDownLatch goesOn = new CountDownLatch(1);
        topic.source("s", SHARED)
                .runWith(
                        Sink.foreach(delivery -> {
                            arrived.complete(delivery);
                            goesOn.await();
                        }),
                        runtime);
        CompletionStage<Void> receipt = await(arrived).ack();
        broker.close();
        goesOn.countDown();
        assertThatThrownBy(() -> await(receipt)).hasCauseInstanceOf(BrokerException.class);
    }

    @Test
    void aMessageGivenBackComesAgain() throws Exception {
        publish(1);
        List<Integer> counts = await(topic.source("s", SHARED)
                .map(delivery -> {
                    delivery.nack();
                    return delivery.redeliveryCount();
                })
                .take(3)
                .runWith(Sink.seq(), runtime));
        assertThat(counts).containsExactly(0, 1, 2);
    }

    @Test
    void messagesOfAClientsBatchAreDeliveredAndAcknowledgedOneByOne() throws Exception {
        try (PulsarClient client = RealClient.of(broker).build();
                Producer<byte[]> producer = client.newProducer()
                        .topic("embedded")
                        .compressionType(CompressionType.ZLIB)
                        .batchingMaxPublishDelay(1, TimeUnit.SECONDS)
                        .batchingMaxMessages(4)
                        .create()) {
            List<CompletionStage<MessageId>> sends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sends.add(producer.newMessage()
                        .key("k" + i)
                        .property("n", "" + i)
                        .value(("message " + i).getBytes(UTF_8))
                        .sendAsync());
            }
            producer.flush();
            sends.forEach(EmbeddedTopicTest::await);
        }
        List<Delivery> batch = await(topic.source("s", SHARED)
                .take(4)
                .mapAsync(
                        1,
                        delivery -> delivery.message().text().equals("message 2")
                                ? CompletableFuture.completedFuture(delivery)
                                : delivery.ack().thenApply(receipt -> delivery))
                .runWith(Sink.seq(), runtime));
        assertThat(batch.get(1).message().key()).isEqualTo("k1");
        assertThat(batch.get(1).message().properties()).containsEntry("n", "1");
        restart();
        assertThat(await(topic.source("s", SHARED).take(1).runWith(Sink.seq(), runtime)))
                .extracting(delivery -> delivery.message().text())
                .containsExactly("message 2");
    }

    @Test
    void aMessageThatNoClientCouldReceiveIsRefusedAlone() throws Exception {
        Message large = Message.of("x".repeat((5 << 20) + (10 << 10)));
        try (PulsarClient client = RealClient.of(broker).build();
                Producer<byte[]> producer =
                        client.newProducer().topic("embedded").create();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("embedded")
                        .subscriptionName("client")
                        .subscribe()) {
            assertThatThrownBy(() -> await(Source.of(Message.of("before"), large, Message.of("after"))
                            .runWith(topic.sink(), runtime)))
                    .hasRootCauseInstanceOf(BrokerException.class)
                    .rootCause()
                    .hasMessageContaining("larger than max-message-bytes");
            producer.send("next".getBytes(UTF_8));
            assertThat(new String(consumer.receive(20, TimeUnit.SECONDS).getData(), UTF_8))
                    .isEqualTo("before");
            assertThat(new String(consumer.receive(20, TimeUnit.SECONDS).getData(), UTF_8))
                    .isEqualTo("next");
        }
    }

    @Test
    void aClientReadsWhatAStreamPublishes() throws Exception {
        try (PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic("embedded")
                        .subscriptionName("client")
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()) {
            await(Source.single(Message.of("hello").withKey("k").withProperty("name", "value"))
                    .runWith(topic.sink(), runtime));
            var received = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(new String(received.getData(), UTF_8)).isEqualTo("hello");
            assertThat(received.getKey()).isEqualTo("k");
            assertThat(received.getProperty("name")).isEqualTo("value");
        }
    }

    @Test
    @Behaviour("ACK-8")
    void aDelayedMessageComesAtItsTime() throws Exception {
        Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusMillis(600); // a broker counts no less
        await(Source.single(Message.of("later").withDeliverAt(time)).runWith(topic.sink(), runtime));
        await(topic.source("s", SHARED).take(1).runWith(Sink.seq(), runtime));
        assertThat(Instant.now()).isBetween(time, time.plusSeconds(40));
    }

    @Test
    @Behaviour("ACK-1")
    void aSecondExclusiveSourceFailsWithTheBrokersReason() {
        SourceOptions exclusive = SourceOptions.of(SubscriptionType.EXCLUSIVE);
        TestSink<Delivery> first = topic.source("s", exclusive)
                .toMat(TestSink.probe(), Keep.right())
                .run(runtime);
        publish(1);
        first.request(1).expectNext();
        assertThatThrownBy(() -> await(topic.source("s", exclusive).runWith(Sink.ignore(), runtime)))
                .rootCause()
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(ErrorKind.CONSUMER_BUSY));
        first.cancel();
    }

    @Test
    void aPublishPassesItsElementsOnInOrderAndLosesNone() {
        List<Integer> numbers = await(Source.range(0, 5_000)
                .via(topic.<Integer>publish(i -> Message.of("message " + i)))
                .runWith(Sink.seq(), runtime));
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            expected.add(i);
        }
        assertThat(numbers).isEqualTo(expected);
    }

    private void publish(int count) {
        await(Source.range(0, count).map(i -> Message.of("message " + i)).runWith(topic.sink(), runtime));
    }

    private void restart(Disk disk) throws Exception {
        broker.close();
        broker = Broker.start(BrokerConfig.defaults(folder).withPort(0), disk);
        topic = broker.topic("embedded");
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void restart() throws Exception {
        broker.close();
        start();
    }

    private static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
