package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.Dispatchers;
import io.millrace.broker.dispatch.SubscriptionSettings;
import io.millrace.broker.dispatch.SubscriptionStore;
import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.MergeHub;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.stage.StageActorRef;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * What a topic's control stage works with: the two ends of the running append graph, and the log below it.
 *
 * @param home what it shares with all topics
 * @param generatedPrefix what the names of unnamed producers begin with, different for each opening of a topic
 */
record TopicParts(TopicName name, TopicLog log, TopicHome home, String generatedPrefix, Running running) {
    /**
     * The append graph as it runs.
     *
     * @param publishes where the producers' streams end
     * @param tail announces new entries to dispatchers
     * @param appendStopped completes when every publish was answered and the append stage has stopped
     */
    record Running(MergeHub<Publish> publishes, BroadcastHub<Position> tail, CompletionStage<Done> appendStopped) {}

    TopicLimits limits() {
        return home.limits();
    }

    MemoryBudget memory() {
        return home.memory();
    }

    /**
     * Starts the dispatcher of a subscription whose cursor or start position is known.
     *
     * @param deserted runs in the dispatcher's island whenever its last consumer has left
     */
    StageActorRef<DispatcherCommand> dispatcher(TopicCommand.Opened opened, Runnable deserted, Materializer runtime) {
        String subscription = opened.subscription().name;
        CursorLog cursorLog = opened.cursor();
        Position start = opened.start();
        CursorState cursor = cursorLog == null
                ? new CursorState(log, Objects.requireNonNull(start, "start"))
                : cursorLog.recovered();
        SubscriptionSettings settings = new SubscriptionSettings(
                subscription, opened.subscription().firstType(), cursorLog != null, limits().subscription());
        SubscriptionStore store = new SubscriptionStore(log, cursorLog, cursor, home.clock(), memory());
        return Dispatchers.graph(settings, store, running.tail(), deserted)
                .named(name + " subscription " + subscription)
                .run(runtime);
    }
}
