package io.millrace.broker.namespace;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Materializer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs what may take long on the blocking workers, few at a time, so that others keep their workers, and those of one name in
 * turn with those of others, so that who asks for much holds up nobody else. Owned by the namespace stage.
 */
final class BlockingTasks {
    private static final int RUNNING = 2;

    private final Island island;
    private final Materializer runtime;
    /** By name, first the one whose turn it is. */
    private final Map<String, Queue<Task<?>>> waiting = new LinkedHashMap<>();

    private int running;

    BlockingTasks(Island island, Materializer runtime) {
        this.island = island;
        this.runtime = runtime;
    }

    private record Task<R>(String name, Supplier<R> body, CompletableFuture<R> reply) {
        Outcome<R> run() {
            try {
                return new Outcome<>(body.get(), null);
            } catch (BrokerException refusal) {
                return new Outcome<>(null, refusal);
            }
        }
    }

    /** A refusal is a result, and no failure of the stream that runs the task. */
    private record Outcome<R>(@Nullable R result, @Nullable BrokerException refusal) {}

    /** Runs it when the turn of its name comes; what becomes of it is told in the island. */
    <R> CompletionStage<R> run(String name, Supplier<R> body) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        waiting.computeIfAbsent(name, first -> new ArrayDeque<>(1)).add(new Task<>(name, body, reply));
        next();
        return reply;
    }

    private void next() {
        if (running < RUNNING && !waiting.isEmpty()) {
            running++;
            start(poll());
        }
    }

    private Task<?> poll() {
        Iterator<Map.Entry<String, Queue<Task<?>>>> turns = waiting.entrySet().iterator();
        Map.Entry<String, Queue<Task<?>>> turn = turns.next();
        String name = turn.getKey();
        Queue<Task<?>> ofName = turn.getValue();
        turns.remove();
        Task<?> first = ofName.remove();
        if (!ofName.isEmpty()) {
            waiting.put(name, ofName);
        }
        return first;
    }

    private <R> void start(Task<R> task) {
        CompletionStage<Outcome<R>> done = Source.single(task)
                .map(Task::run)
                .toMat(Sink.head(), Keep.right())
                .withAttributes(Attributes.blocking())
                .named(task.name)
                .run(runtime);
        island.home(done).whenComplete((outcome, failure) -> {
            running--;
            if (failure != null) {
                task.reply.completeExceptionally(failure);
            } else if (outcome.refusal != null) {
                task.reply.completeExceptionally(outcome.refusal);
            } else {
                task.reply.complete(outcome.result);
            }
            next();
        });
    }
}
