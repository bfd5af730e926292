package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.DispatcherCommand.Ack;
import io.millrace.broker.dispatch.DispatcherCommand.Attach;
import io.millrace.broker.dispatch.DispatcherCommand.Close;
import io.millrace.broker.dispatch.DispatcherCommand.Flow;
import io.millrace.broker.dispatch.DispatcherCommand.Seek;
import io.millrace.broker.dispatch.DispatcherCommand.Stats;
import io.millrace.broker.dispatch.DispatcherCommand.Writable;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Disk;
import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.log.TopicLogListener;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Keep;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.WithoutConsumers;
import io.millrace.streams.stage.StageActorRef;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** A real log in a folder, a tail hub and dispatchers over them; the test is the topic and the clients. */
final class OneSubscription implements AutoCloseable {
    private static final int BOUND_SECONDS = 20;

    final StreamRuntime runtime = StreamRuntime.create();
    final SubscriptionSettings settings;
    final LogConfig config;
    private final Disk disk;
    private final BroadcastHubSettings hubSettings;
    BrokerLog brokerLog;
    TopicLog log;
    BroadcastHub<Position> hub;
    StageActorRef<DispatcherCommand> dispatcher;

    private StageActorRef<Position> tail;
    private volatile Position announced = Position.BEFORE_ALL;
    /** That of dispatchers that are started from now on. */
    MemoryBudget memory = MemoryBudget.ofThisProcess();

    private long clockMillis = 1_000;
    /** The dispatchers' clock, which the test moves. */
    volatile long nowMillis = 1_000_000;

    /** A subscription from the topic's start, over ledgers of ten entries. */
    OneSubscription(Path folder, SubscriptionSettings settings) throws IOException {
        this(LogConfig.defaults(folder).withLedgers(1 << 20, 10), settings);
    }

    OneSubscription(LogConfig config, SubscriptionSettings settings) throws IOException {
        this(config, settings, 1024);
    }

    OneSubscription(LogConfig config, SubscriptionSettings settings, int hubBuffer) throws IOException {
        this(config, settings, hubBuffer, new DiskFiles());
    }

    OneSubscription(LogConfig config, SubscriptionSettings settings, int hubBuffer, Disk disk) throws IOException {
        this.disk = disk;
        this.settings = settings;
        this.hubSettings =
                BroadcastHubSettings.defaults().withBufferSize(hubBuffer).withWithoutConsumers(WithoutConsumers.DROP);
        this.config = config;
        openLog();
        dispatcher = settings.durable()
                ? durable(settings)
                : run(settings, null, new CursorState(log, Dispatchers.startingAt(log, SeekTarget.EARLIEST)));
    }

    /** Another dispatcher over the same log. */
    StageActorRef<DispatcherCommand> durable(SubscriptionSettings other) {
        CursorLog cursorLog = await(log.openCursor(other.name(), Dispatchers.startingAt(log, SeekTarget.EARLIEST)));
        return run(other, cursorLog, cursorLog.recovered());
    }

    StageActorRef<DispatcherCommand> run(SubscriptionSettings other, CursorLog cursorLog, CursorState cursor) {
        InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
        return Dispatchers.graph(other, store(log, cursorLog, cursor, clock, memory), hub, () -> {})
                .run(runtime);
    }

    static SubscriptionStore store(
            TopicLog log, CursorLog cursorLog, CursorState cursor, InstantSource clock, MemoryBudget memory) {
        return new SubscriptionStore(log, cursorLog, cursor, clock, memory);
    }

    /** Closes everything in order and opens it again from disk. */
    void restart() throws IOException {
        this.<Void>ask(Close::new);
        brokerLog.close();
        openLog();
        dispatcher = durable(settings);
    }

    /** Publishes entries, after the dispatcher has heard what it was told before, and waits until they are durable. */
    List<Position> publish(int entries) {
        stats();
        List<Position> published = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            published.add(append(1));
        }
        awaitDurable();
        return published;
    }

    Position publishBatch(int messages) {
        stats();
        Position published = append(messages);
        awaitDurable();
        return published;
    }

    /** Queues one entry for the log, published a millisecond after the one before. */
    Position append(int messages) {
        return append(messages, 0, 0, 0);
    }

    Position append(int messages, int keyHash, long deliverAtMillis, int flags) {
        EntryHeader header = new EntryHeader(messages, clockMillis++, keyHash, deliverAtMillis, flags);
        return log.append(header, Unpooled.copyLong(clockMillis, messages));
    }

    /** Publishes one entry of each key, in that order. */
    List<Position> publishKeys(int... keyHashes) {
        stats();
        List<Position> published = new ArrayList<>();
        for (int keyHash : keyHashes) {
            published.add(append(1, keyHash, 0, 0));
        }
        awaitDurable();
        return published;
    }

    /** Moves the dispatchers' clock and has the dispatcher look at it. */
    void advance(long millis) {
        long now = nowMillis;
        nowMillis = now + millis;
        dispatcher.tell(new Writable());
    }

    void awaitDurable() {
        Position last = log.lastAppended();
        until("everything is durable and announced", () -> announced.equals(last));
    }

    RecordingConsumer attach(String name) {
        return attach(new RecordingConsumer(name), settings.type(), 0);
    }

    RecordingConsumer attach(RecordingConsumer consumer, SubscriptionType type, int priority) {
        return attach(consumer, new ConsumerOptions(1, consumer.name, type, priority, null));
    }

    RecordingConsumer attach(String name, KeySharedOptions keyShared) {
        return attach(new RecordingConsumer(name), keySharing(name, keyShared));
    }

    BrokerException refusedAttach(RecordingConsumer consumer, SubscriptionType type) {
        return refusedAttach(consumer, ConsumerOptions.of(1, consumer.name, type));
    }

    BrokerException refusedAttach(String name, KeySharedOptions keyShared) {
        return refusedAttach(new RecordingConsumer(name), keySharing(name, keyShared));
    }

    RecordingConsumer attach(RecordingConsumer consumer, ConsumerOptions options) {
        this.<Void>ask(reply -> new Attach(consumer, options, reply));
        return consumer;
    }

    BrokerException refusedAttach(RecordingConsumer consumer, ConsumerOptions options) {
        CompletableFuture<Void> reply = new CompletableFuture<>();
        dispatcher.tell(new Attach(consumer, options, reply));
        return failure(reply);
    }

    private static ConsumerOptions keySharing(String name, KeySharedOptions keyShared) {
        return new ConsumerOptions(1, name, SubscriptionType.KEY_SHARED, 0, keyShared);
    }

    void flow(RecordingConsumer consumer, int permits) {
        dispatcher.tell(new Flow(consumer, permits));
    }

    void ack(RecordingConsumer consumer, Position... positions) {
        await(acking(consumer, AckRequest.individual(List.of(positions))));
    }

    void ackUpTo(RecordingConsumer consumer, Position position) {
        await(acking(consumer, AckRequest.cumulative(position)));
    }

    void ackPartly(RecordingConsumer consumer, Position position, long... ackSet) {
        await(acking(
                consumer, new AckRequest(AckRequest.Kind.INDIVIDUAL, List.of(new AckedPosition(position, ackSet)))));
    }

    CompletableFuture<Void> acking(RecordingConsumer consumer, AckRequest request) {
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        dispatcher.tell(new Ack(consumer, request, receipt));
        return receipt;
    }

    void seek(SeekTarget target) {
        this.<Void>ask(reply -> new Seek(target, reply));
    }

    DispatcherStats stats() {
        return ask(Stats::new);
    }

    /** Fails if the dispatcher's books do not balance. */
    void checkInvariants() {
        assertThat(this.<List<String>>ask(Inspect::new)).isEmpty();
    }

    void awaitDelivered(RecordingConsumer consumer, int count) {
        until(consumer.name + " has " + count, () -> consumer.delivered.size() >= count);
        assertThat(consumer.delivered).hasSize(count);
    }

    <T> T ask(Function<CompletableFuture<T>, DispatcherCommand> command) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        dispatcher.tell(command.apply(reply));
        return await(reply);
    }

    static <T> T await(CompletionStage<T> future) {
        return future.toCompletableFuture()
                .orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    static BrokerException failure(CompletableFuture<?> future) {
        until("a failure", future::isDone);
        try {
            future.join();
        } catch (java.util.concurrent.CompletionException failed) {
            return (BrokerException) failed.getCause();
        }
        throw new AssertionError("was not refused");
    }

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    @Override
    public void close() {
        runtime.close();
        brokerLog.close();
    }

    private void openLog() throws IOException {
        brokerLog = BrokerLog.open(config, disk);
        log = await(brokerLog.openTopic("persistent://public/default/t"));
        announced = log.lastDurable();
        var handles = Source.fromGraph(new TailFeed())
                .toMat(BroadcastHub.<Position>sink(hubSettings), Keep.both())
                .run(runtime);
        tail = handles.first();
        hub = handles.second();
        log.listener(new Announcing(log, tail, announced, last -> announced = last));
    }

    /** Turns durable groups into one announcement an entry. */
    private static final class Announcing implements TopicLogListener {
        private final TopicLog log;
        private final StageActorRef<Position> tail;
        private final Consumer<Position> done;
        private Position previous;

        Announcing(TopicLog log, StageActorRef<Position> tail, Position previous, Consumer<Position> done) {
            this.log = log;
            this.tail = tail;
            this.previous = previous;
            this.done = done;
        }

        @Override
        public void durable(Position upTo) {
            while (previous.isBefore(upTo)) {
                previous = log.next(previous);
                tail.tell(previous);
            }
            done.accept(upTo);
        }

        @Override
        public void refused(Position from, Throwable cause) {
            throw new AssertionError("refused from " + from, cause);
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError("the log failed in a test", cause);
        }
    }
}
