package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Replaces each element by the result of a future, some at a time, in the order of the elements. */
public final class MapAsyncStage<I, O> extends LinearStage<I, O> {
    private final int parallelism;
    private final ThrowingFunction<? super I, ? extends CompletionStage<O>> function;

    public MapAsyncStage(int parallelism, ThrowingFunction<? super I, ? extends CompletionStage<O>> function) {
        super("mapAsync");
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
        }
        this.parallelism = parallelism;
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new AsyncLogic(inherited);
    }

    /** An element on its way: empty until its future has completed. */
    private static final class Place<O> {
        private @Nullable O value;
        private @Nullable Throwable failure;
        private boolean dropped;
    }

    /** What became of the future of a place. */
    private record Result<O>(
            Place<O> place, @Nullable O value, @Nullable Throwable failure) {}

    private final class AsyncLogic extends Logic<I, O> {
        private final Queue<Place<O>> places = new ArrayDeque<>();
        private final AsyncCallback<Result<O>> results = asyncCallback(this::onResult);

        private final Attributes inherited;

        AsyncLogic(Attributes inherited) {
            super(MapAsyncStage.this);
            this.inherited = inherited;
        }

        @Override
        public void onPush() throws Exception {
            start(grab(in));
            pullIfRoom();
        }

        private void start(I element) throws Exception {
            CompletionStage<O> future;
            try {
                future = function.apply(element);
            } catch (Exception failure) {
                if (FutureFailure.dropsElement(inherited, failure)) {
                    return;
                }
                throw failure;
            }
            Place<O> place = new Place<>();
            places.add(place);
            future.whenComplete((value, failure) -> results.invoke(new Result<>(place, value, failure)));
        }

        @Override
        public void onPull() {
            emitFinished();
            pullIfRoom();
        }

        @Override
        public void onUpstreamFinish() {
            if (places.isEmpty()) {
                completeStage();
            }
        }

        private void onResult(Result<O> result) {
            Place<O> place = result.place();
            place.value = result.value();
            if (result.failure() != null) {
                place.failure = FutureFailure.causeOf(result.failure());
            } else if (place.value == null) {
                place.failure = new NullPointerException("the future of mapAsync completed with null");
            }
            place.dropped = place.failure != null && FutureFailure.dropsElement(inherited, place.failure);
            if (place.dropped || isAvailable(out)) {
                emitFinished();
                pullIfRoom();
            }
        }

        private void emitFinished() {
            Place<O> first = places.peek();
            while (first != null && first.dropped) {
                places.remove();
                first = places.peek();
            }
            if (first != null && isAvailable(out)) {
                if (first.failure != null) {
                    failStage(first.failure);
                } else if (first.value != null) {
                    places.remove();
                    push(out, first.value);
                }
            }
            if (isClosed(in) && places.isEmpty()) {
                completeStage();
            }
        }

        private void pullIfRoom() {
            if (places.size() < parallelism) {
                tryPull(in);
            }
        }
    }
}
