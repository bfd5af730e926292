package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;

/**
 * Replaces each element by the result of a future, some at a time, but only one at a time of those with the same key, in
 * the order of the elements.
 */
public final class MapAsyncPartitionedStage<I, K, O> extends LinearStage<I, O> {
    private final int parallelism;
    private final ThrowingFunction<? super I, ? extends K> keyOf;
    private final ThrowingFunction<? super I, ? extends CompletionStage<O>> function;

    public MapAsyncPartitionedStage(
            int parallelism,
            ThrowingFunction<? super I, ? extends K> keyOf,
            ThrowingFunction<? super I, ? extends CompletionStage<O>> function) {
        super("mapAsyncPartitioned");
        this.parallelism = FuturesInOrder.checkedParallelism(parallelism);
        this.keyOf = Objects.requireNonNull(keyOf, "keyOf");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new PartitionedLogic(inherited);
    }

    private final class PartitionedLogic extends FuturesInOrder<I, O> {
        private final Map<Place<I, O>, K> running = new HashMap<>();
        /** The keys that have a call running, each with the elements that wait for its end. */
        private final Map<K, Queue<Place<I, O>>> waiting = new HashMap<>();
        /** Those whose keys have no call running any more; they are called once the results before them are on their way. */
        private final Queue<Place<I, O>> ready = new ArrayDeque<>();

        private final Later later = new Later(this, this::callNext);

        PartitionedLogic(Attributes inherited) {
            super(MapAsyncPartitionedStage.this, parallelism, inherited);
        }

        @Override
        void begin(Place<I, O> place) throws Exception {
            K key;
            try {
                key = Step.required(keyOf.apply(place.element()), name());
            } catch (Exception failure) {
                drop(place, failure);
                return;
            }
            Queue<Place<I, O>> others = waiting.get(key);
            if (others == null) {
                waiting.put(key, new ArrayDeque<>(0));
                running.put(place, key);
                call(place);
            } else {
                others.add(place);
            }
        }

        private void call(Place<I, O> place) throws Exception {
            await(place, () -> function.apply(place.takeElement()));
        }

        private void callNext() throws Exception {
            Place<I, O> next = ready.poll();
            if (next != null) {
                call(next);
                goOn();
            }
            if (!ready.isEmpty()) {
                later.ask();
            }
        }

        @Override
        void onSettled(Place<I, O> place) {
            K key = running.remove(place);
            Queue<Place<I, O>> others = key == null ? null : waiting.get(key);
            if (key == null || others == null) {
                return;
            }
            Place<I, O> next = others.poll();
            if (next == null) {
                waiting.remove(key);
            } else {
                running.put(next, key);
                ready.add(next);
                later.ask();
            }
        }
    }
}
