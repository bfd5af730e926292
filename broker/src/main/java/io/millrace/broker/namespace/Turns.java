package io.millrace.broker.namespace;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Things that are done one after the other with what has one name, in the order in which they came. Owned by the
 * namespace stage, in which what is done has to end.
 *
 * @param <K> names
 */
final class Turns<K> {
    private final Map<K, Line> lines = new HashMap<>();

    /** What waits for one name. */
    private static final class Line {
        private final Queue<Runnable> waiting = new ArrayDeque<>(0);
        private boolean isBusy;
        private boolean isMoving;
    }

    /** Begins it at once if nothing is under way with the name. What it throws is its failure. */
    <R> CompletionStage<R> take(K name, Supplier<CompletionStage<R>> task) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        Line line = lines.computeIfAbsent(name, unused -> new Line());
        line.waiting.add(() -> begin(name, line, task, reply));
        move(name, line);
        return reply;
    }

    /** Takes the turns of all one after the other, in an order that is always the same, so that none waits for itself. */
    <R> CompletionStage<R> takeAll(List<K> inOrder, Supplier<CompletionStage<R>> task) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        Outcomes.inTurn(inOrder, name -> hold(name, over))
                .thenCompose(held -> task.get())
                .whenComplete((done, failure) -> {
                    answer(reply, done, failure);
                    over.complete(null);
                });
        return reply;
    }

    /** Takes a turn, and gives it back when that is over. */
    private CompletionStage<Void> hold(K name, CompletionStage<Void> over) {
        CompletableFuture<Void> held = new CompletableFuture<>();
        var unused = take(name, () -> {
            held.complete(null);
            return over;
        });
        return held;
    }

    /** Whether something is under way with the name. */
    boolean isBusy(K name) {
        return lines.containsKey(name);
    }

    /** Whether something is under way with one of these names. */
    boolean isBusyWithAny(Predicate<K> names) {
        return lines.keySet().stream().anyMatch(names);
    }

    /** A loop, because thousands that wait may end at once, one after the other. */
    private void move(K name, Line line) {
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
            lines.remove(name, line);
        }
    }

    private <R> void begin(K name, Line line, Supplier<CompletionStage<R>> task, CompletableFuture<R> reply) {
        CompletionStage<R> done;
        try {
            done = task.get();
        } catch (RuntimeException | Error refusal) {
            done = CompletableFuture.failedFuture(refusal);
        }
        done.whenComplete((result, failure) -> {
            line.isBusy = false;
            answer(reply, result, failure);
            move(name, line);
        });
    }

    /** Before the next one begins, which may count on what follows here. */
    private static <R> void answer(CompletableFuture<R> reply, R result, @Nullable Throwable failure) {
        if (failure == null) {
            reply.complete(result);
        } else {
            reply.completeExceptionally(failure);
        }
    }
}
