package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.WithoutConsumers;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.Behaviour;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The dispatcher of a topic that stores nothing, while the topic is busy and does not know of it yet. */
@Timeout(60)
class LiveDispatcherTest {
    private final StreamRuntime ofTopic = StreamRuntime.create();
    private final StreamRuntime ofDispatcher = StreamRuntime.create();
    private final CountDownLatch isBusy = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final RecordingConsumer consumer = new RecordingConsumer("c");
    private final CompletableFuture<Void> attached = new CompletableFuture<>();
    private StageActorRef<DispatcherCommand> dispatcher;

    @BeforeEach
    void attach() throws Exception {
        BroadcastHub<LiveEntry> hub = Source.single(
                        new LiveEntry(new Position(0, 0), new EntryHeader(1, 0, 0, 0, 0), new byte[1]))
                .concat(Source.never())
                .map(this::whenItMayGoOn)
                .toMat(
                        BroadcastHub.<LiveEntry>sink(
                                BroadcastHubSettings.defaults().withWithoutConsumers(WithoutConsumers.DROP)),
                        Keep.right())
                .run(ofTopic);
        isBusy.await();
        dispatcher = Dispatchers.live(
                        SubscriptionSettings.durable("s", SubscriptionType.SHARED),
                        hub,
                        InstantSource.system(),
                        () -> {})
                .run(ofDispatcher);
        dispatcher.tell(
                new DispatcherCommand.Attach(consumer, ConsumerOptions.of(1, "c", SubscriptionType.SHARED), attached));
        CompletableFuture<DispatcherStats> acted = new CompletableFuture<>();
        dispatcher.tell(new DispatcherCommand.Stats(acted));
        acted.get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        mayGoOn.countDown();
        ofDispatcher.close();
        ofTopic.close();
    }

    @Test
    @Behaviour("NS-11")
    void aConsumerIsThereOnceEveryEntryReachesIt() throws Exception {
        assertThat(attached).isNotDone();
        mayGoOn.countDown();
        attached.get(20, TimeUnit.SECONDS);
    }

    @Test
    @Behaviour("NS-11")
    void whoIsNotThereYetWhenTheTopicClosesIsRefused() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        dispatcher.tell(new DispatcherCommand.Close(closed));
        closed.get(20, TimeUnit.SECONDS);
        assertThatThrownBy(() -> attached.get(20, TimeUnit.SECONDS)).cause().isInstanceOf(BrokerException.class);
    }

    private LiveEntry whenItMayGoOn(LiveEntry entry) throws InterruptedException {
        isBusy.countDown();
        mayGoOn.await();
        return entry;
    }
}
