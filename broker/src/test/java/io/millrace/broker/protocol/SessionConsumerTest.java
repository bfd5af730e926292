package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.ConsumerOptions;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.dispatch.SubscriptionType;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.StartAt;
import io.millrace.broker.topic.SubscribeRequests;
import io.millrace.broker.topic.SubscriptionHandle;
import io.millrace.broker.topic.Topic;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalChannel;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SessionConsumerTest {
    private static final int MORE_THAN_A_WINDOW_BYTES = 300_000;
    private static final int SEEKS = 1_000;

    private TopicsFixture topics;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        topics = new TopicsFixture(folder);
    }

    @AfterEach
    void close() {
        topics.close();
    }

    @Test
    @Behaviour("PRO-6")
    void whoWaitsForRoomIsToldAlsoWhenItComesOfABatchThatNobodyTakes() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Connection connection = connection(channel);
        ConsumerCommands consumers = new ConsumerCommands(connection, topics.namespaces());
        SessionConsumer leaving =
                new SessionConsumer(connection, consumers, connection.handle(1, List.of()), "leaving", -1);
        SessionConsumer waiting =
                new SessionConsumer(connection, consumers, connection.handle(2, List.of()), "waiting", -1);
        ByteBuf data = Unpooled.buffer().writeZero(MORE_THAN_A_WINDOW_BYTES);
        leaving.deliver(new Entry(new Position(1, 0), new EntryHeader(1, 1, 0, 0, 0), data), 0, null);
        leaving.flush();
        assertThat(waiting.isWritable()).isFalse();
        leaving.detached();
        channel.runPendingTasks();
        assertThat(connection.window().reopened())
                .as("room that the waiting one was not told of")
                .isFalse();
        assertThat(waiting.isWritable()).isTrue();
        channel.finishAndReleaseAll();
    }

    @Test
    @Behaviour("ACK-1")
    void aClientIsToldThatItIsActiveOnceItAsksForMessages() throws Exception {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        SessionConsumer consumer = consumer(connection(channel));
        consumer.activeChanged(false);
        open(consumer);
        consumer.activeChanged(true);
        channel.runPendingTasks();
        assertThat(channel.outboundMessages())
                .as("what a client that has not made its consumer would drop")
                .isEmpty();
        consumer.listens();
        assertThat(activeChanges(channel)).containsExactly(true);
        consumer.activeChanged(false);
        channel.runPendingTasks();
        channel.advanceTimeBy(1, TimeUnit.HOURS);
        channel.runScheduledPendingTasks();
        assertThat(activeChanges(channel)).containsExactly(false);
        channel.finishAndReleaseAll();
    }

    @Test
    @Behaviour("ACK-1")
    void aClientThatAsksForNoMessageIsToldThatItIsActiveAfterASecond() throws Exception {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        SessionConsumer consumer = consumer(connection(channel));
        open(consumer);
        consumer.activeChanged(true);
        channel.runPendingTasks();
        channel.advanceTimeBy(999, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(channel.outboundMessages()).isEmpty();
        channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        assertThat(activeChanges(channel)).containsExactly(true);
        channel.finishAndReleaseAll();
    }

    private SessionConsumer consumer(Connection connection) {
        ConsumerCommands consumers = new ConsumerCommands(connection, topics.namespaces());
        return new SessionConsumer(connection, consumers, connection.handle(1, List.of()), "consumer", -1);
    }

    /** Subscribes as the only one, which its topic tells nothing of being active. */
    private void open(SessionConsumer consumer) throws Exception {
        Topic topic = topics.open("topic");
        ConsumerOptions options = ConsumerOptions.of(1, "consumer", SubscriptionType.EXCLUSIVE);
        consumer.opened(
                topic,
                topic.subscribe(SubscribeRequests.durable("sub", StartAt.EARLIEST, consumer, options))
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS));
    }

    private static List<Boolean> activeChanges(EmbeddedChannel channel) {
        channel.flushOutbound();
        List<Boolean> changes = new ArrayList<>();
        ByteBuf frame = channel.readOutbound();
        while (frame != null) {
            BaseCommand command = new BaseCommand();
            int bytes = frame.skipBytes(Integer.BYTES).readInt();
            command.parseFrom(frame, bytes);
            changes.add(command.getActiveConsumerChange().isIsActive());
            frame.release();
            frame = channel.readOutbound();
        }
        return changes;
    }

    @Test
    @Behaviour("ACK-9")
    void aSubscriptionKeepsNothingOfTheConsumersThatItsSeeksClosed() throws Exception {
        EventLoopGroup loops = new DefaultEventLoopGroup(1);
        Channel channel = new LocalChannel();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
        loops.register(channel).sync();
        Connection connection = connection(channel);
        Topic topic = topics.open("topic");
        List<WeakReference<SessionConsumer>> closed = new ArrayList<>();
        for (int i = 0; i < SEEKS; i++) {
            closed.add(new WeakReference<>(closedBySeek(connection, topic)));
        }
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (kept(closed) > 1 && System.nanoTime() < endNanos) {
            System.gc();
        }
        assertThat(kept(closed))
                .as("closed consumers that are still referenced")
                .isLessThanOrEqualTo(1);
        loops.shutdownGracefully(0, 20, TimeUnit.SECONDS).sync();
    }

    private SessionConsumer closedBySeek(Connection connection, Topic topic) throws Exception {
        ConsumerCommands consumers = new ConsumerCommands(connection, topics.namespaces());
        SessionConsumer consumer =
                new SessionConsumer(connection, consumers, connection.handle(1, List.of()), "seeking", -1);
        ConsumerOptions options = ConsumerOptions.of(1, "seeking", SubscriptionType.EXCLUSIVE);
        SubscriptionHandle handle = topic.subscribe(
                        SubscribeRequests.durable("sub", StartAt.EARLIEST, consumer, options))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        CompletableFuture<Throwable> answered = new CompletableFuture<>();
        CompletableFuture<Void> reply = new CompletableFuture<>();
        connection.execute(() -> {
            consumer.opened(topic, handle);
            consumer.ask(
                    reply,
                    1,
                    new DispatcherCommand.Seek(new SeekTarget.ToPosition(new Position(-1, -1), null), reply),
                    (done, failure) -> answered.complete(failure));
        });
        assertThat(answered.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(consumer.state()).isEqualTo(SessionConsumer.State.CLOSED);
        return consumer;
    }

    private static long kept(List<WeakReference<SessionConsumer>> references) {
        return references.stream().filter(each -> each.get() != null).count();
    }

    private static Connection connection(Channel channel) {
        return new Connection(
                channel,
                SessionLimits.DEFAULTS,
                new PublishMemory(1),
                ServerFixture.complaints(channel),
                MemoryBudget.ofThisProcess());
    }
}
