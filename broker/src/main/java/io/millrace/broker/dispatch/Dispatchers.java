package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.stage.StageActorRef;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;

/** Makes dispatchers. */
public final class Dispatchers {
    private Dispatchers() {}

    /**
     * The graph of one subscription's dispatcher, to be run once: it takes over the cursor and its log's listener. The
     * reference terminates when the dispatcher ends.
     *
     * @param tail announces the position of each entry of the log once the entry is durable
     * @param watcher hears of what happens to the dispatcher
     */
    public static RunnableGraph<StageActorRef<DispatcherCommand>> graph(
            SubscriptionSettings settings,
            SubscriptionStore store,
            BroadcastHub<Position> tail,
            DispatcherWatcher watcher) {
        return RunnableGraph.fromGraph(new DispatcherStage(settings, store, tail, watcher));
    }

    /**
     * The same of a topic that stores nothing.
     *
     * @param entries passes each entry on to every dispatcher that is there
     * @param clock tells when consumers did what
     */
    public static RunnableGraph<StageActorRef<DispatcherCommand>> live(
            SubscriptionSettings settings,
            BroadcastHub<LiveEntry> entries,
            InstantSource clock,
            DispatcherWatcher watcher) {
        return entries.sourceWithRegistration(BroadcastConsumerSettings.defaults())
                .toMat(Sink.fromGraph(new LiveDispatcherStage(settings, clock, watcher)), Dispatchers::connected);
    }

    private static StageActorRef<DispatcherCommand> connected(
            CompletionStage<Done> registered, LiveDispatcherStage.Running dispatcher) {
        registered.whenComplete((done, ended) -> dispatcher.connected().invoke(NotUsed.NOT_USED));
        return dispatcher.commands();
    }

    /**
     * The mark-delete position to create a subscription with, so that the given entry, or the first one after it, is
     * the first delivered; {@link SeekTarget#EARLIEST} and {@link SeekTarget#LATEST} are understood.
     */
    public static Position startingAt(TopicLog log, Position first) {
        return Seeks.markDeleteBefore(log, first);
    }

    /** The refusal to delete a subscription that so many consumers use. */
    public static BrokerException othersAreConnected(String name, int others) {
        return Ending.othersAreConnected(name, others);
    }
}
