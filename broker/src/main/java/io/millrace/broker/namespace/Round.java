package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does something with each of some topics, a few at a time, as each may be opened for it. What fails is left for the next
 * round. Owned by the namespace stage.
 */
final class Round {
    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private final Queue<String> due;
    private final Function<TopicName, CompletionStage<Void>> task;
    private final Island island;
    private int running;

    /** Takes the full names of the topics from the queue. */
    Round(Queue<String> due, Function<TopicName, CompletionStage<Void>> task, Island island) {
        this.due = due;
        this.task = task;
        this.island = island;
    }

    /** Starts it, with so many topics at a time at most; {@code done} runs when all have ended. */
    void run(int atOnce, Runnable done) {
        running = Math.max(1, Math.min(atOnce, due.size()));
        int first = running;
        for (int i = 0; i < first; i++) {
            next(done);
        }
    }

    private void next(Runnable done) {
        String name = due.poll();
        if (name == null) {
            running--;
            if (running == 0) {
                done.run();
            }
            return;
        }
        CompletionStage<Void> started = CompletableFuture.completedFuture(null);
        started.thenCompose(now -> task.apply(TopicName.parse(name))).whenComplete((ended, failure) -> {
            if (failure != null) {
                LOG.debug("topic {}: nothing done this time", name, failure);
            }
            island.later(() -> next(done));
        });
    }
}
