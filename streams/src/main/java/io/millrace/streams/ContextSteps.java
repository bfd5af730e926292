package io.millrace.streams;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.futures.MappedFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.StreamSupport;

/** Operators on pairs of an element and its context. */
final class ContextSteps {
    private ContextSteps() {}

    static <O, C> Flow<O, Pair<O, C>, NotUsed> attach(ThrowingFunction<? super O, ? extends C> context) {
        Objects.requireNonNull(context, "context");
        return Flow.of(element -> new Pair<>(element, Step.required(context.apply(element), "context")));
    }

    static <O, P, C> Flow<Pair<O, C>, Pair<P, C>, NotUsed> map(ThrowingFunction<? super O, ? extends P> function) {
        Objects.requireNonNull(function, "function");
        return Flow.of(pair -> new Pair<>(Step.required(function.apply(pair.first()), "map"), pair.second()));
    }

    static <O, C, D> Flow<Pair<O, C>, Pair<O, D>, NotUsed> mapContext(
            ThrowingFunction<? super C, ? extends D> function) {
        Objects.requireNonNull(function, "function");
        return Flow.of(pair -> new Pair<>(pair.first(), Step.required(function.apply(pair.second()), "mapContext")));
    }

    static <O, C> Flow<Pair<O, C>, Pair<O, C>, NotUsed> filter(ThrowingPredicate<? super O> condition) {
        Objects.requireNonNull(condition, "condition");
        return Flow.<Pair<O, C>>create().filter(pair -> condition.test(pair.first()));
    }

    static <O, C> Flow<Pair<O, C>, Pair<O, C>, NotUsed> filterNot(ThrowingPredicate<? super O> condition) {
        Objects.requireNonNull(condition, "condition");
        return Flow.<Pair<O, C>>create().filterNot(pair -> condition.test(pair.first()));
    }

    static <O, P, C> Flow<Pair<O, C>, Pair<P, C>, NotUsed> collectType(Class<P> type) {
        return ContextSteps.<O, C>filter(type::isInstance)
                .map(pair -> new Pair<>(type.cast(pair.first()), pair.second()));
    }

    static <O, P, C> Flow<Pair<O, C>, Pair<P, C>, NotUsed> mapConcat(
            ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        Objects.requireNonNull(function, "function");
        return Flow.<Pair<O, C>>create().mapConcat(pair -> {
            Iterable<? extends P> made = Step.required(function.apply(pair.first()), "mapConcat");
            return () -> StreamSupport.stream(made.spliterator(), false)
                    .map(element -> new Pair<P, C>(
                            NotNull.checked(element, "mapConcat", "the iterator gave null"), pair.second()))
                    .iterator();
        });
    }

    static <O, P, C> Flow<Pair<O, C>, Pair<P, C>, NotUsed> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        Objects.requireNonNull(function, "function");
        return Flow.<Pair<O, C>>create()
                .mapAsync(
                        parallelism,
                        pair -> with(
                                "mapAsync", pair.second(), Step.required(function.apply(pair.first()), "mapAsync")));
    }

    private static <P, C> CompletionStage<Pair<P, C>> with(String operator, C context, CompletionStage<P> future) {
        return MappedFuture.of(future, value -> {
            if (value == null) {
                throw NullElementException.ofFuture(operator);
            }
            return new Pair<>(value, context);
        });
    }

    static <O, G, P, C> Flow<Pair<O, C>, Pair<P, C>, NotUsed> mapAsyncPartitioned(
            int parallelism,
            ThrowingFunction<? super O, ? extends G> keyOf,
            ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        Objects.requireNonNull(keyOf, "keyOf");
        Objects.requireNonNull(function, "function");
        return Flow.<Pair<O, C>>create()
                .<G, Pair<P, C>>mapAsyncPartitioned(
                        parallelism,
                        pair -> keyOf.apply(pair.first()),
                        pair -> with(
                                "mapAsyncPartitioned",
                                pair.second(),
                                Step.required(function.apply(pair.first()), "mapAsyncPartitioned")));
    }

    static <O, C> Flow<Pair<O, C>, Pair<List<O>, List<C>>, NotUsed> grouped(int size) {
        return Flow.<Pair<O, C>>create().grouped(size).map(ContextSteps::apart);
    }

    static <O, C> Flow<Pair<O, C>, Pair<List<O>, List<C>>, NotUsed> sliding(int size, int step) {
        return Flow.<Pair<O, C>>create().sliding(size, step).map(ContextSteps::apart);
    }

    private static <O, C> Pair<List<O>, List<C>> apart(List<Pair<O, C>> pairs) {
        List<O> elements = new ArrayList<>(pairs.size());
        List<C> contexts = new ArrayList<>(pairs.size());
        for (Pair<O, C> pair : pairs) {
            elements.add(pair.first());
            contexts.add(pair.second());
        }
        return new Pair<>(List.copyOf(elements), List.copyOf(contexts));
    }

    static <O, C> Sink<Pair<O, C>, NotUsed> ofElements(Graph<? extends SinkShape<? super O>, ?> sink) {
        return Flow.<Pair<O, C>, O>of(Pair::first).to(sink);
    }

    static <O, C> Sink<Pair<O, C>, NotUsed> ofContexts(Graph<? extends SinkShape<? super C>, ?> sink) {
        return Flow.<Pair<O, C>, C>of(Pair::second).to(sink);
    }
}
