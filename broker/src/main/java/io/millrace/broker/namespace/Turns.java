package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Things that are done with a topic one after the other, in the order in which they came. Owned by the namespace stage. */
final class Turns {
    private final Map<TopicName, Line> lines = new HashMap<>();

    /** What waits for one topic. */
    private static final class Line {
        private final Queue<Runnable> waiting = new ArrayDeque<>(0);
        private boolean isBusy;
        private boolean isMoving;
    }

    /** Begins it at once if nothing is under way with the topic. What it throws is its failure. */
    <R> CompletionStage<R> take(TopicName topic, Supplier<CompletionStage<R>> task) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        Line line = lines.computeIfAbsent(topic, unused -> new Line());
        line.waiting.add(() -> begin(topic, line, task, reply));
        move(topic, line);
        return reply;
    }

    /** Whether something is under way with the topic. */
    boolean isBusy(TopicName topic) {
        return lines.containsKey(topic);
    }

    /** Whether something is under way with a topic of these. */
    boolean isBusyWithAny(Predicate<TopicName> topics) {
        return lines.keySet().stream().anyMatch(topics);
    }

    /** A loop, because thousands that wait may end at once, one after the other. */
    private void move(TopicName topic, Line line) {
        if (line.isMoving) {
            return;
        }
        line.isMoving = true;
        while (!line.isBusy && !line.waiting.isEmpty()) {
            line.isBusy = true;
            line.waiting.remove().run();
        }
        line.isMoving = false;
        if (!line.isBusy) {
            lines.remove(topic, line);
        }
    }

    private <R> void begin(TopicName topic, Line line, Supplier<CompletionStage<R>> task, CompletableFuture<R> reply) {
        CompletionStage<R> done;
        try {
            done = task.get();
        } catch (RuntimeException refusal) {
            done = CompletableFuture.failedFuture(refusal);
        }
        done.whenComplete((result, failure) -> {
            line.isBusy = false;
            if (failure == null) {
                reply.complete(result);
            } else {
                reply.completeExceptionally(failure);
            }
            move(topic, line);
        });
    }
}
