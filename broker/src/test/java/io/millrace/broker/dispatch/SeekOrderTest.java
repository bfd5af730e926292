package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.dispatch.DispatcherCommand.Skip;
import io.millrace.broker.dispatch.SeekTarget.ToPosition;
import io.millrace.broker.dispatch.SeekTarget.ToTime;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.SlowDisk;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What comes while a seek by time reads the log for its position. */
@Timeout(60)
class SeekOrderTest {
    private static final int ENTRIES = 2_000;
    private static final int FOUND = 18;

    @TempDir
    Path folder;

    private final CountDownLatch isReading = new CountDownLatch(1);
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private final AtomicReference<Thread> firstReader = new AtomicReference<>();
    private final CompletableFuture<Void> byTime = new CompletableFuture<>();
    private volatile boolean readsWait;
    private OneSubscription subscription;
    private List<Position> published;

    @BeforeEach
    void startToLookForATime() throws Exception {
        LogConfig noCache =
                LogConfig.defaults(folder).withLedgers(1 << 20, 1_000).withMemory(4_096, 1 << 20);
        subscription = new OneSubscription(
                noCache,
                SubscriptionSettings.durable("s", SubscriptionType.SHARED),
                1_024,
                new SlowDisk(force -> {}, this::beforeRead));
        subscription.durable(SubscriptionSettings.durable("keeps-everything", SubscriptionType.EXCLUSIVE));
        published = subscription.publish(ENTRIES);
        subscription.restart(); // nothing is in memory
        readsWait = true;
        subscription.dispatcher.tell(new Seek(new ToTime(1_000 + FOUND), byTime));
        assertThat(isReading.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void close() {
        mayRead.countDown();
        subscription.close();
    }

    @Test
    @Behaviour("ACK-9")
    void aLaterSeekIsTheOneThatCounts() throws IOException {
        CompletableFuture<Void> later = seek(ToPosition.of(published.get(500)));
        mayRead.countDown();
        OneSubscription.await(byTime);
        OneSubscription.await(later);
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(499));
        subscription.restart();
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(499));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("ACK-9")
    void ofSeveralByTimeTheLastCounts() {
        List<CompletableFuture<Void>> later = Stream.of(700, 5, 900)
                .map(entry -> seek(new ToTime(1_000 + entry)))
                .toList();
        mayRead.countDown();
        later.forEach(OneSubscription::await);
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(899));
    }

    @Test
    void whatIsSkippedMeanwhileIsSkippedAfterTheSeek() {
        CompletableFuture<Void> skipped = new CompletableFuture<>();
        subscription.dispatcher.tell(new Skip(new SkipTarget.Entries(10), skipped));
        subscription.stats();
        mayRead.countDown();
        OneSubscription.await(byTime);
        OneSubscription.await(skipped);
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(FOUND + 9));
    }

    @Test
    void aSeekThatIsAnsweredMeanwhileMovesNothing() {
        byTime.completeExceptionally(new BrokerException(ErrorKind.SERVICE_NOT_READY, "given up by this test"));
        CompletableFuture<Void> later = seek(ToPosition.of(published.get(500)));
        OneSubscription.await(later);
        mayRead.countDown();
        awaitFirstFound();
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(499));
    }

    /** The thread that searches for the first seek's position has told the dispatcher what it found once it does something else. */
    private void awaitFirstFound() {
        Thread first = firstReader.get();
        Set<Thread> searchers = ConcurrentHashMap.newKeySet();
        while (first.isAlive() && !searchers.contains(first)) {
            List<CompletableFuture<Void>> searches = Stream.generate(() -> subscription.log.findByTime(1_000 + FOUND))
                    .limit(8)
                    .map(found -> found.toCompletableFuture().thenAccept(at -> searchers.add(Thread.currentThread())))
                    .toList();
            searches.forEach(OneSubscription::await);
        }
    }

    @Test
    void aSeekThatIsAnsweredWhileItWaitsMovesNothing() {
        CompletableFuture<Void> waiting = seek(ToPosition.of(published.get(500)));
        waiting.complete(null);
        mayRead.countDown();
        OneSubscription.await(byTime);
        CompletableFuture<Void> skipped = new CompletableFuture<>();
        subscription.dispatcher.tell(new Skip(new SkipTarget.Entries(1), skipped)); // behind both
        OneSubscription.await(skipped);
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(FOUND));
    }

    @Test
    @Behaviour("ACK-9")
    void whoAttachesMeanwhileGetsWhatTheLastSeekAskedFor() {
        CompletableFuture<Void> later = seek(ToPosition.of(published.get(500)));
        RecordingConsumer consumer = new RecordingConsumer("c");
        CompletableFuture<Void> attached = new CompletableFuture<>();
        subscription.dispatcher.tell(
                new DispatcherCommand.Attach(consumer, ConsumerOptions.of(1, "c", SubscriptionType.SHARED), attached));
        subscription.stats();
        assertThat(attached).isNotDone();
        mayRead.countDown();
        OneSubscription.await(attached);
        assertThat(later).isCompleted();
        subscription.flow(consumer, 3);
        subscription.awaitDelivered(consumer, 3);
        assertThat(consumer.positions()).isEqualTo(published.subList(500, 503));
    }

    @Test
    void whatWaitsIsRefusedWhenTheSubscriptionCloses() {
        CompletableFuture<Void> later = seek(ToPosition.of(published.get(500)));
        CompletableFuture<Void> skipped = new CompletableFuture<>();
        subscription.dispatcher.tell(new Skip(SkipTarget.ALL, skipped));
        subscription.<Void>ask(Close::new);
        for (CompletableFuture<Void> refused : List.of(byTime, later, skipped)) {
            assertThat(OneSubscription.failure(refused).kind()).isEqualTo(ErrorKind.SERVICE_NOT_READY);
        }
    }

    /** The dispatcher knows of it when this returns. */
    private CompletableFuture<Void> seek(SeekTarget target) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        subscription.dispatcher.tell(new Seek(target, reply));
        subscription.stats();
        return reply;
    }

    private void beforeRead() {
        if (!readsWait) {
            return;
        }
        firstReader.compareAndSet(null, Thread.currentThread());
        isReading.countDown();
        try {
            if (!mayRead.await(30, TimeUnit.SECONDS)) {
                throw new UncheckedIOException(new IOException("the test held a read for half a minute"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
