package io.millrace.broker.topic;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherWatcher;
import io.millrace.broker.dispatch.SubscriptionSettings;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.stage.StageActorRef;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How a topic keeps what it must not forget: its epoch and its subscriptions. */
interface TopicKeeping {
    /**
     * Does nothing while the topic takes entries.
     *
     * @throws BrokerException otherwise, so that a producer's client knows before it sends anything
     */
    void requireWritable();

    /** Whether it takes no more entries, for ever. */
    boolean isTerminated();

    /** The epoch of the last exclusive producer; {@link ProducerOptions#NO_TOPIC_EPOCH} if there was none. */
    long epoch();

    CompletionStage<Void> keepEpoch(long epoch);

    /** Whether there is that durable subscription, used or not. */
    boolean has(String subscription);

    /** How many durable subscriptions there are, used or not, and of these others that are not. */
    int countWith(Collection<String> others);

    /** Where a subscription goes on, which is made if it is not there; fails if null is given for that. */
    CompletionStage<Cursor> open(String subscription, boolean durable, @Nullable NewSubscription ifNew);

    /** Replaces the properties of a durable subscription; false if it is not there. */
    CompletionStage<Boolean> setProperties(String subscription, Map<String, String> properties);

    /** The log that it is kept in; null if it stores nothing. */
    default @Nullable TopicLog log() {
        return null;
    }

    /** Forgets a subscription. */
    CompletionStage<Void> delete(String subscription);

    /** The graph of a subscription's dispatcher, to be run once. */
    RunnableGraph<StageActorRef<DispatcherCommand>> dispatcher(
            SubscriptionSettings settings, Cursor cursor, DispatcherWatcher watcher);

    /**
     * Where a subscription goes on.
     *
     * @param log null if it is not durable
     * @param start where one that is not durable begins
     */
    record Cursor(@Nullable CursorLog log, @Nullable Position start) {}
}
