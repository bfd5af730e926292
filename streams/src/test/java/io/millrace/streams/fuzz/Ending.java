package io.millrace.streams.fuzz;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Done;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A sink, and what is seen of a stream through it. */
enum Ending {
    FOREACH("foreach(seen::add)"),
    SEQ("seq()"),
    COUNT("count()"),
    FOLD("fold((Object) 5, Change::both)"),
    HEAD("headOption()"),
    LAST("lastOption()"),
    TAKE_LAST("takeLast(3)"),
    EXISTS("exists(x -> Fault.hash(x, 30) == 1)"),
    FOREACH_ASYNC("foreachAsync(3, x -> CompletableFuture.completedFuture(seen.add(x)))"),
    QUEUE("queue()"),
    HEAD_OF_SOME("head()"),
    LAST_OF_SOME("last()"),
    REDUCE("reduce(Change::both)"),
    FORALL("forall(x -> Fault.hash(x, 30) != 1)"),
    NONE("none(x -> Fault.hash(x, 30) == 1)"),
    COLLECT("collect(Collectors.toList())"),
    IGNORE("ignore()"),
    FOREACH_LATER("foreachAsync(1, x -> CompletableFuture.supplyAsync(() -> seen.add(x)))");

    private static final int QUEUED = 4;
    private final String text;

    Ending(String text) {
        this.text = text;
    }

    String text() {
        return "Sink." + text;
    }

    /** Whether it asks for elements only as it needs them. */
    boolean isExact() {
        return this != QUEUE && this != FOREACH_ASYNC && this != FOREACH_LATER;
    }

    /** What has come of a run; what was not yet done of the elements when it failed is left out. */
    record Seen(List<Object> elements, @Nullable Throwable failure) {}

    RunnableGraph<?> graph(Source<Object, ?> source, List<Object> seen) {
        Sink<Object, ?> sink = switch (this) {
            case FOREACH -> Sink.<Object>foreach(seen::add);
            case FOREACH_ASYNC -> Sink.<Object>foreachAsync(3, x -> CompletableFuture.completedFuture(seen.add(x)));
            case SEQ -> Sink.<Object>seq();
            case COUNT -> Sink.<Object>count();
            case FOLD -> Sink.<Object, Object>fold(5, Change::both);
            case HEAD -> Sink.<Object>headOption();
            case LAST -> Sink.<Object>lastOption();
            case TAKE_LAST -> Sink.<Object>takeLast(3);
            case EXISTS -> Sink.<Object>exists(x -> Fault.hash(x, 30) == 1);
            case QUEUE -> Sink.<Object>queue();
            case HEAD_OF_SOME -> Sink.<Object>head();
            case LAST_OF_SOME -> Sink.<Object>last();
            case REDUCE -> Sink.<Object>reduce(Change::both);
            case FORALL -> Sink.<Object>forall(x -> Fault.hash(x, 30) != 1);
            case NONE -> Sink.<Object>none(x -> Fault.hash(x, 30) == 1);
            case COLLECT -> Sink.collect(Collectors.toList());
            case IGNORE -> Sink.<Object>ignore();
            case FOREACH_LATER -> Sink.<Object>foreachAsync(1, x -> CompletableFuture.supplyAsync(() -> seen.add(x)));
        };
        return source.toMat(sink, Keep.right());
    }

    /** Waits for what a run has given back. */
    @SuppressWarnings("unchecked")
    Seen awaited(Object value, List<Object> seen, Wait wait) throws InterruptedException, TimeoutException {
        try {
            if (value instanceof SinkQueue<?> queue) {
                queued((SinkQueue<Object>) queue, seen);
                return new Seen(List.copyOf(seen), null);
            }
            Object result = wait.on((CompletionStage<?>) value);
            return new Seen(isEach() ? List.copyOf(seen) : List.of(result), null);
        } catch (ExecutionException e) {
            return new Seen(this == FOREACH_LATER ? List.of() : List.copyOf(seen), e.getCause());
        }
    }

    /** How a result is awaited. */
    interface Wait {
        Object on(CompletionStage<?> result) throws ExecutionException, InterruptedException, TimeoutException;
    }

    private boolean isEach() {
        return this == FOREACH || this == FOREACH_ASYNC || this == FOREACH_LATER;
    }

    private static void queued(SinkQueue<Object> queue, List<Object> seen)
            throws ExecutionException, InterruptedException, TimeoutException {
        for (int i = 0; i < QUEUED; i++) {
            Optional<Object> next = await(queue.pull());
            if (next.isEmpty()) {
                return;
            }
            seen.add(next.get());
        }
        queue.cancel();
    }

    /** The failure as it is, of which a future would tell but the cause if it were wrapped. */
    static <T> T await(CompletionStage<T> stage) throws ExecutionException, InterruptedException, TimeoutException {
        Throwable failure = stage.<@Nullable Throwable>handle((value, thrown) -> thrown)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return stage.toCompletableFuture().get();
    }

    /** What the interpreter sees. */
    Seen interpreted(Pull elements) {
        List<Object> taken = new ArrayList<>();
        try {
            for (Object x = next(elements, taken.size()); x != null; x = next(elements, taken.size())) {
                taken.add(x);
                if (isDecided(x)) {
                    break;
                }
            }
            return new Seen(isEach() || this == QUEUE ? taken : List.of(result(taken)), null);
        } catch (NoSuchElementException none) {
            return new Seen(List.of(), none);
        } catch (Failed failed) {
            boolean isSeen = (isEach() && this != FOREACH_LATER) || this == QUEUE;
            return new Seen(isSeen ? taken : List.of(), failed.failure());
        }
    }

    private boolean isDecided(Object x) {
        return (this == EXISTS || this == FORALL || this == NONE) && Fault.hash(x, 30) == 1;
    }

    private @Nullable Object next(Pull elements, int taken) {
        boolean isEnough = ((this == HEAD || this == HEAD_OF_SOME) && taken == 1) || (this == QUEUE && taken == QUEUED);
        return isEnough ? null : elements.next();
    }

    private Object result(List<Object> taken) {
        int size = taken.size();
        return switch (this) {
            case COUNT -> (long) size;
            case FOLD -> taken.stream().reduce(5, Change::both);
            case HEAD -> taken.stream().findFirst();
            case LAST -> size == 0 ? Optional.empty() : Optional.of(taken.get(size - 1));
            case TAKE_LAST -> taken.subList(Math.max(0, size - 3), size);
            case EXISTS -> taken.stream().anyMatch(this::isDecided);
            case FORALL, NONE -> taken.stream().noneMatch(this::isDecided);
            case HEAD_OF_SOME -> taken.stream().findFirst().orElseThrow();
            case LAST_OF_SOME -> taken.stream().reduce((x, y) -> y).orElseThrow();
            case REDUCE -> taken.stream().reduce(Change::both).orElseThrow();
            case IGNORE -> Done.DONE;
            default -> taken;
        };
    }
}
