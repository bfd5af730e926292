package io.millrace.broker.topic;

import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherWatcher;
import io.millrace.broker.dispatch.SubscriptionSettings;
import io.millrace.broker.inspect.KeptAnswer;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.streams.MergeHub;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.StageActorRef;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a topic's control stage works with: the two ends of the running publishing graph, and how the topic is kept.
 *
 * @param home what it shares with all topics
 * @param generatedPrefix what the names of unnamed producers begin with, different for each opening of a topic
 */
record TopicParts(TopicName name, TopicKeeping keeping, TopicHome home, String generatedPrefix, Running running) {
    /**
     * The publishing graph as it runs.
     *
     * @param publishes where the producers' streams end
     * @param appending the stage that they lead to
     */
    record Running(MergeHub<Publish> publishes, Appending appending) {
        CompletionStage<Done> appendStopped() {
            return appending.stopped();
        }
    }

    /**
     * The stage behind the producers as it runs.
     *
     * @param stopped completes when every publish was answered and the stage has stopped
     * @param policies takes what producers may publish from now on
     * @param fences takes the producers of which nothing more is stored
     * @param questions takes those about what was published
     * @param figures of the topic, which the stage drops with what it appends
     */
    record Appending(
            CompletionStage<Done> stopped,
            AsyncCallback<AppliedPolicies.Publishing> policies,
            AsyncCallback<PublishFence> fences,
            AsyncCallback<PublishQuestion> questions,
            KeptAnswer<TopicFigures> figures) {
        /** What all producers have published, then what each of these has; none any more if the stage has stopped. */
        CompletableFuture<List<TopicFigures.Published>> published(List<PublishCounts> producers) {
            CompletableFuture<List<TopicFigures.Published>> reply = new CompletableFuture<>();
            questions.invokeWithFeedback(new PublishQuestion(producers, reply)).whenComplete((asked, stopped) -> {
                if (stopped != null) {
                    reply.complete(Collections.nCopies(producers.size() + 1, TopicFigures.Published.NOTHING));
                }
            });
            return reply;
        }
    }

    TopicLimits limits() {
        return home.limits();
    }

    MemoryBudget memory() {
        return home.memory();
    }

    private int partition() {
        return name.isPartition() ? name.partition() : 0;
    }

    /**
     * Starts the dispatcher of a subscription whose cursor or start position is known.
     *
     * @param watcher hears of what happens to it
     */
    StageActorRef<DispatcherCommand> dispatcher(
            TopicCommand.Opened opened, DispatcherWatcher watcher, Materializer runtime) {
        SubscriptionSlot slot = opened.subscription();
        SubscriptionSettings settings = new SubscriptionSettings(
                slot.name, slot.firstType(), slot.durable, partition(), limits().subscription());
        TopicKeeping.Cursor cursor = Objects.requireNonNull(opened.cursor(), "cursor");
        return keeping.dispatcher(settings, cursor, watcher)
                .named(name + " subscription " + slot.name)
                .run(runtime);
    }
}
