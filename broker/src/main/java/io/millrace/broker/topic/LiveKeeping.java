package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherWatcher;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.LiveEntry;
import io.millrace.broker.dispatch.SubscriptionSettings;
import io.millrace.broker.log.Position;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.stage.StageActorRef;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Nowhere: a topic that stores nothing forgets its epoch and its subscriptions when nobody uses it.
 *
 * @param entries passes each entry on to every dispatcher that is there
 * @param clock tells when consumers did what
 */
record LiveKeeping(BroadcastHub<LiveEntry> entries, InstantSource clock) implements TopicKeeping {
    @Override
    public void requireWritable() {
        // It writes nothing that could fail.
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public long epoch() {
        return ProducerOptions.NO_TOPIC_EPOCH;
    }

    @Override
    public CompletionStage<Void> keepEpoch(long epoch) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean has(String subscription) {
        return false;
    }

    @Override
    public int countWith(Collection<String> others) {
        return others.size();
    }

    @Override
    public CompletionStage<Cursor> open(String subscription, boolean durable, @Nullable NewSubscription ifNew) {
        return CompletableFuture.completedFuture(new Cursor(null, Position.BEFORE_ALL));
    }

    @Override
    public CompletionStage<Boolean> setProperties(String subscription, Map<String, String> properties) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Void> delete(String subscription) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public RunnableGraph<StageActorRef<DispatcherCommand>> dispatcher(
            SubscriptionSettings settings, Cursor cursor, DispatcherWatcher watcher) {
        return Dispatchers.live(settings, entries, clock, watcher);
    }
}
