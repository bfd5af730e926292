package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.dispatch.SkipTarget;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.SlowDisk;
import io.millrace.broker.memory.ToldErrors;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.PolicyChange;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BrokerTest {
    /** A close takes less than a second where nothing holds it up; the rest is for a slow machine. */
    private static final long LITTLE_TIME_NANOS = TimeUnit.SECONDS.toNanos(15);

    @TempDir
    Path folder;

    @Test
    @Behaviour("LOG-11")
    void aDataFolderInUseIsRefusedAndItsOwnerUnharmed() throws IOException {
        try (Broker owner = Broker.start(config())) {
            assertThatThrownBy(() -> Broker.start(config()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use")
                    .hasMessageContaining(folder.toString());
            assertThat(owner.port()).isPositive();
        }
    }

    @Test
    void aDataFolderThatIsAFileIsRefusedByName() throws IOException {
        Path file = Files.writeString(folder.resolve("data"), "not a folder");
        assertThatThrownBy(() -> Broker.start(config().withDataFolder(file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aSystemThatIsNotSupportedIsRefusedByName() throws IOException {
        assertThatThrownBy(() -> Broker.requireSystem("Windows 11"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Windows 11 is not supported");
        Broker.requireSystem("Mac OS X");
    }

    @Test
    void aTakenPortIsRefusedByNumberAndFreesTheFolder() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Broker.start(config().withPort(taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
        Broker.start(config()).close();
    }

    @Test
    @Behaviour("PRO-13")
    void aStageThatFindsTheHeapFullTellsOfIt() {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        try (ToldErrors errors = new ToldErrors();
                StreamRuntime runtime = StreamRuntime.create(Broker.runtimeSettings())) {
            assertThat(Source.range(1, 3)
                            .map(n -> {
                                throw full;
                            })
                            .runWith(Sink.ignore(), runtime)
                            .toCompletableFuture())
                    .failsWithin(20, TimeUnit.SECONDS);
            assertThat(errors.told()).contains(full);
        }
    }

    @Test
    void whatTakesMemoryIsSaidInALine() throws IOException {
        try (Broker broker = Broker.start(config())) {
            assertThat(broker.memoryUse())
                    .matches("heap \\d+ of \\d+ MiB, 0 connections, 0 topics in use of 0, "
                            + "0 of \\d+ MiB that clients may hold, 0 MiB of publishes.*");
        }
    }

    @Test
    @Behaviour("PRO-14")
    void brokersOfOneProcessShareItsHeapUntilTheyClose() throws IOException {
        try (Broker broker = Broker.start(config())) {
            long before = limitMebibytes(broker);
            Broker second =
                    Broker.start(BrokerConfig.defaults(folder.resolve("other")).withPort(0));
            assertThat(limitMebibytes(broker)).isEqualTo(limitMebibytes(second)).isLessThan(before);
            second.close();
            second.close();
            assertThat(limitMebibytes(broker)).isEqualTo(before);
            assertThatThrownBy(() -> Broker.start(config())).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> Broker.start(
                            BrokerConfig.defaults(folder.resolve("other")).withPort(broker.port())))
                    .isInstanceOf(IOException.class);
            assertThat(limitMebibytes(broker))
                    .as("after two that did not start")
                    .isEqualTo(before);
        }
    }

    private static long limitMebibytes(Broker broker) {
        return Long.parseLong(broker.memoryUse().replaceAll(".* of (\\d+) MiB that clients may hold.*", "$1"));
    }

    @Test
    void closingTwiceIsClosingOnceAndTheFolderIsFreeAfterwards() throws IOException {
        Broker broker = Broker.start(config());
        broker.close();
        broker.close();
        Broker.start(config()).close();
    }

    @Test
    @Behaviour("PRO-7")
    void theServiceUrlNamesTheAdvertisedAddress() throws IOException {
        try (Broker broker = Broker.start(config().withAdvertisedAddress("localhost"))) {
            assertThat(broker.serviceUrl()).isEqualTo("pulsar://localhost:" + broker.port());
        }
    }

    @Test
    void closingTakesLittleTimeAndReceiptedMessagesAreThereAfterwards() throws Exception {
        Broker broker = Broker.start(config());
        PulsarClient client = RealClient.of(broker).build();
        Producer<byte[]> producer = client.newProducer()
                .topic("busy")
                .enableBatching(false)
                .blockIfQueueFull(true)
                .create();
        List<CompletableFuture<MessageId>> receipts = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            receipts.add(producer.sendAsync(new byte[1_000]));
        }
        receipts.get(0).get(20, TimeUnit.SECONDS);
        long before = System.nanoTime();
        broker.close();
        assertThat(System.nanoTime() - before).isLessThan(LITTLE_TIME_NANOS);
        // It cannot connect again: what has no receipt yet fails.
        producer.closeAsync().exceptionally(failure -> null).get(20, TimeUnit.SECONDS);
        for (CompletableFuture<MessageId> receipt : receipts) {
            receipt.exceptionally(failure -> null).get(20, TimeUnit.SECONDS);
        }
        long receipted = receipts.stream()
                .filter(receipt -> !receipt.isCompletedExceptionally())
                .count();
        client.shutdown();
        assertThat(storedEntries()).isGreaterThanOrEqualTo(receipted);
    }

    @Test
    void closingDoesNotWaitForLedgersThatTheJournalHolds() throws Exception {
        SlowDisk slow = new SlowDisk(point -> {
            if (point == ForcePoint.LEDGER_FILE) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400));
            }
        });
        int topics = 60; // 24 s of ledgers
        Broker broker = Broker.start(config(), slow);
        try (PulsarClient client = RealClient.of(broker).build()) {
            for (int i = 0; i < topics; i++) {
                try (Producer<byte[]> producer = client.newProducer()
                        .topic(i == 0 ? "busy" : "busy-" + i)
                        .enableBatching(false)
                        .create()) {
                    producer.send(new byte[100_000]);
                }
            }
            long before = System.nanoTime();
            broker.close();
            assertThat(System.nanoTime() - before).isLessThan(LITTLE_TIME_NANOS);
        }
        assertThat(storedEntries()).isEqualTo(1);
    }

    @Test
    void aQuestionDoesNotBringBackASubscriptionThatIsGoing() throws Exception {
        AtomicBoolean holds = new AtomicBoolean();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        SlowDisk slow = new SlowDisk(point -> {
            if (point == ForcePoint.JOURNAL_GROUP && holds.get()) {
                held.countDown();
                uninterruptibly(goesOn);
            }
        });
        try (Broker broker = Broker.start(config(), slow);
                PulsarClient client = RealClient.of(broker).build();
                Consumer<byte[]> consumer =
                        client.newConsumer().topic("t").subscriptionName("s").subscribe()) {
            Topic topic = broker.topic("t").open().toCompletableFuture().get(20, TimeUnit.SECONDS);
            holds.set(true);
            CompletableFuture<Void> unsubscribed = consumer.unsubscribeAsync();
            assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> skipped = topic.skip("s", SkipTarget.ALL).toCompletableFuture();
            CompletableFuture<?> heard = topic.figures().toCompletableFuture();
            heard.get(20, TimeUnit.SECONDS);
            goesOn.countDown();
            unsubscribed.get(20, TimeUnit.SECONDS);
            assertThatThrownBy(() -> skipped.get(20, TimeUnit.SECONDS)).hasMessageContaining("there is no s");
            assertThat(topic.subscriptionNames().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .isEmpty();
        }
    }

    @Test
    void whatFollowsAnAnswerIsNotLetWaitForTheBroker() throws Exception {
        try (Broker broker = Broker.start(config());
                StreamRuntime own = StreamRuntime.create()) {
            broker.createNamespace("acme/there");
            Namespaces namespaces = broker.namespaces();
            CompletableFuture<?> afterChange = makesNamespace(broker, () -> namespaces.createTenant("other", Map.of()));
            CompletableFuture<?> afterQuestion =
                    makesNamespace(broker, () -> namespaces.facts(List.of(TopicName.parse("acme/there/t"))));
            for (CompletableFuture<?> made : List.of(afterChange, afterQuestion)) {
                assertThatThrownBy(() -> made.get(20, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("ensureNamespace");
            }
            await(Source.of("acme/own").runWith(Sink.foreach(broker::createNamespace), own));
            assertThat(await(namespaces.namespaces("acme")))
                    .containsExactly(NamespaceName.parse("acme/own"), NamespaceName.parse("acme/there"));
        }
    }

    @Test
    void whatTheBrokerItselfHasCalledIsNotLetCloseIt() throws Exception {
        try (Broker broker = Broker.start(config());
                PulsarClient client = RealClient.of(broker).build();
                Producer<byte[]> producer = client.newProducer().topic("t").create()) {
            broker.createNamespace("acme/there");
            CompletableFuture<?> afterChange =
                    after(broker, () -> broker.namespaces().createTenant("other", Map.of()), broker::close);
            assertThatThrownBy(() -> afterChange.get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another thread");
            CompletionStage<Boolean> onItsLoop;
            do {
                onItsLoop = closedElsewhere(broker);
            } while (!await(onItsLoop.handle((answeredHere, refusal) -> refusal != null)));
            CompletionStage<Boolean> refused = onItsLoop;
            assertThatThrownBy(() -> await(refused)).hasCauseInstanceOf(IllegalStateException.class);
            assertThat(producer.send(new byte[1])).isNotNull();
        }
    }

    /** Closes it on the event loop that answers a question, unless it has answered by now; false then. */
    private static CompletionStage<Boolean> closedElsewhere(Broker broker) {
        Thread here = Thread.currentThread();
        Runnable close = broker::close;
        return broker.clients().thenApply(clients -> {
            boolean isElsewhere = Thread.currentThread() != here;
            if (isElsewhere) {
                close.run();
            }
            return isElsewhere;
        });
    }

    private static CompletableFuture<?> makesNamespace(Broker broker, Supplier<CompletionStage<?>> question) {
        return after(broker, question, () -> broker.createNamespace("acme/made"));
    }

    /** Does that when the question is answered, which it is once this waits for it. */
    private static CompletableFuture<?> after(Broker broker, Supplier<CompletionStage<?>> question, Runnable deed) {
        CountDownLatch goesOn = new CountDownLatch(1);
        broker.namespaces().changePolicies(NamespaceName.parse("acme/there"), kept -> {
            uninterruptibly(goesOn);
            return new PolicyChange(Set.of(), Map.of());
        });
        CompletionStage<Void> done = question.get().thenRun(deed);
        goesOn.countDown();
        return done.toCompletableFuture();
    }

    @Test
    void closingOnAnInterruptedThreadGivesReceiptsFirst() throws Exception {
        AtomicBoolean holds = new AtomicBoolean();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        SlowDisk slow = new SlowDisk(point -> {
            if (point == ForcePoint.JOURNAL_GROUP && holds.get()) {
                held.countDown();
                uninterruptibly(goesOn);
            }
        });
        Broker broker = Broker.start(config(), slow);
        try (StreamRuntime own = StreamRuntime.create()) {
            BrokerTopic topic = broker.topic("t");
            await(Source.of(Message.of("once")).runWith(topic.sink(), own));
            TestSink<Delivery> sink = topic.source("s", SourceOptions.of(SubscriptionType.SHARED))
                    .toMat(TestSink.probe(), Keep.right())
                    .run(own);
            Delivery delivery = sink.request(1).expectNext();
            holds.set(true);
            CompletionStage<Void> receipt = delivery.ack();
            assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            Thread closing = new Thread(() -> {
                Thread.currentThread().interrupt();
                broker.close(Duration.ofSeconds(20));
                closed.complete(Thread.currentThread().isInterrupted());
            });
            closing.start();
            while (await(topic.open().thenApply(opened -> true).exceptionally(refused -> false))
                    || closing.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait(); // until it waits for the topics
            }
            goesOn.countDown();
            await(receipt);
            assertThat(closed.get(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            goesOn.countDown();
            broker.close();
        }
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long storedEntries() throws Exception {
        try (Broker broker = Broker.start(config());
                PulsarClient client = RealClient.of(broker).build();
                var reader = client.newReader()
                        .topic("busy")
                        .startMessageId(MessageId.earliest)
                        .create()) {
            long count = 0;
            while (reader.hasMessageAvailable()) {
                reader.readNext(10, TimeUnit.SECONDS);
                count++;
            }
            return count;
        }
    }

    private BrokerConfig config() {
        return BrokerConfig.defaults(folder.resolve("data")).withPort(0);
    }
}
