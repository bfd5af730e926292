package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherWatcher;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.SubscriptionSettings;
import io.millrace.broker.dispatch.SubscriptionStore;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.stage.StageActorRef;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * In the log.
 *
 * @param tail announces new entries to dispatchers
 */
record StoredKeeping(TopicName topic, TopicLog log, TopicHome home, BroadcastHub<Position> tail)
        implements TopicKeeping {
    private static final String EPOCH_PROPERTY = "epoch";

    @Override
    public void requireWritable() {
        LogRefusal.requireWritable(topic, log);
    }

    @Override
    public boolean isTerminated() {
        return log.isTerminated();
    }

    @Override
    public long epoch() {
        byte[] stored = log.property(EPOCH_PROPERTY);
        return stored == null
                ? ProducerOptions.NO_TOPIC_EPOCH
                : ByteBuffer.wrap(stored).getLong();
    }

    @Override
    public CompletionStage<Void> keepEpoch(long epoch) {
        return log.setProperty(
                EPOCH_PROPERTY, ByteBuffer.allocate(Long.BYTES).putLong(epoch).array());
    }

    @Override
    public boolean has(String subscription) {
        return log.hasCursor(subscription);
    }

    @Override
    public int countWith(Collection<String> others) {
        return log.cursorCountWith(others);
    }

    @Override
    public CompletionStage<Cursor> open(String subscription, boolean durable, @Nullable NewSubscription ifNew) {
        if (ifNew == null) {
            return log.reopenCursor(subscription).thenApply(cursor -> new Cursor(cursor, null));
        }
        CompletionStage<Position> start = start(ifNew.start());
        return durable
                ? start.thenCompose(position -> log.openCursor(subscription, position, ifNew.properties()))
                        .thenApply(cursor -> new Cursor(cursor, null))
                : start.thenApply(position -> new Cursor(null, position));
    }

    private CompletionStage<Position> start(StartAt start) {
        if (start instanceof StartAt.After after) {
            return CompletableFuture.completedFuture(after.within(log.lastDurable()));
        }
        if (start instanceof StartAt.Time time) {
            return log.findByTime(time.publishTimeMillis()).thenApply(first -> Dispatchers.startingAt(log, first));
        }
        return CompletableFuture.completedFuture(log.lastDurable());
    }

    @Override
    public CompletionStage<Boolean> setProperties(String subscription, Map<String, String> properties) {
        return LogRefusal.caught(() -> log.setCursorProperties(subscription, properties));
    }

    @Override
    public CompletionStage<Void> delete(String subscription) {
        return LogRefusal.caught(() -> log.deleteCursor(subscription));
    }

    @Override
    public RunnableGraph<StageActorRef<DispatcherCommand>> dispatcher(
            SubscriptionSettings settings, Cursor cursor, DispatcherWatcher watcher) {
        CursorLog cursorLog = cursor.log();
        CursorState state = cursorLog == null
                ? new CursorState(log, Objects.requireNonNull(cursor.start(), "start"))
                : cursorLog.recovered();
        SubscriptionStore store = new SubscriptionStore(log, cursorLog, state, home.clock(), home.memory());
        return Dispatchers.graph(settings, store, tail, watcher);
    }
}
