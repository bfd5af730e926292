package io.millrace.streams.operator.futures;

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
        /** Those that may be called; a queue, as calls that end at once would else nest. */
        private final Queue<Place<I, O>> ready = new ArrayDeque<>();

        private boolean isCalling;

        PartitionedLogic(Attributes inherited) {
            super(MapAsyncPartitionedStage.this, parallelism, inherited);
        }

        @Override
        void begin(Place<I, O> place) throws Exception {
            K key;
            try {
                key = Step.required(keyOf.apply(place.element), name());
            } catch (Exception failure) {
                drop(place, failure);
                return;
            }
            Queue<Place<I, O>> others = waiting.get(key);
            if (others == null) {
                waiting.put(key, new ArrayDeque<>(0));
                call(key, place);
            } else {
                others.add(place);
            }
        }

        private void call(K key, Place<I, O> place) throws Exception {
            running.put(place, key);
            ready.add(place);
            if (isCalling) {
                return;
            }
            isCalling = true;
            Place<I, O> next = ready.poll();
            while (next != null) {
                I element = next.element;
                await(next, () -> function.apply(element));
                next = ready.poll();
            }
            isCalling = false;
        }

        @Override
        void onSettled(Place<I, O> place) throws Exception {
            K key = running.remove(place);
            Queue<Place<I, O>> others = key == null ? null : waiting.get(key);
            if (key == null || others == null) {
                return;
            }
            Place<I, O> next = others.poll();
            if (next == null) {
                waiting.remove(key);
            } else {
                call(key, next);
            }
        }
    }
}
