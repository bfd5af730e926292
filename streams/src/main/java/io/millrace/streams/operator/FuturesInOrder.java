package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.engine.Step;
import io.millrace.streams.stage.AsyncCallback;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Keeps a place for each element, in their order, and emits the result of the first as soon as it is there. */
abstract class FuturesInOrder<I, O> extends LinearStage.Logic<I, O> {
    private final Queue<Place<I, O>> places = new ArrayDeque<>();
    private final AsyncCallback<Result<I, O>> results = asyncCallback(this::onResult);
    private final String operator;
    private final int parallelism;
    private final Attributes inherited;

    FuturesInOrder(LinearStage<I, O> stage, int parallelism, Attributes inherited) {
        super(stage);
        operator = stage.name();
        this.parallelism = parallelism;
        this.inherited = inherited;
    }

    static int checkedParallelism(int parallelism) {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
        }
        return parallelism;
    }

    /** An element on its way: neither value nor failure until its future has completed. */
    static final class Place<I, O> {
        final I element;
        private @Nullable O value;
        private @Nullable Throwable failure;
        private boolean dropped;

        Place(I element) {
            this.element = element;
        }

        boolean isSettled() {
            return value != null || failure != null;
        }
    }

    /** What became of the future of a place. */
    private record Result<I, O>(
            Place<I, O> place, @Nullable O value, @Nullable Throwable failure) {}

    /** An element has come: {@link #await} its future now or later. */
    abstract void begin(Place<I, O> place) throws Exception;

    /** The place's future has completed, or its function has thrown. */
    void onSettled(Place<I, O> place) throws Exception {}

    @Override
    public final void onPush() throws Exception {
        Place<I, O> place = new Place<>(grab(in));
        places.add(place);
        begin(place);
        goOn();
    }

    @Override
    public final void onPull() {
        goOn();
    }

    @Override
    public final void onUpstreamFinish() {
        if (places.isEmpty()) {
            completeStage();
        }
    }

    /** Calls the function and waits for its future; what it throws is supervised. */
    final void await(Place<I, O> place, FutureCall<O> call) throws Exception {
        CompletionStage<? extends O> future;
        try {
            future = Step.required(call.start(), operator);
        } catch (Exception failure) {
            drop(place, failure);
            return;
        }
        if (future instanceof CompletableFuture<?> there && there.isDone()) {
            future.whenComplete((value, failure) -> note(place, value, failure));
            settle(place);
        } else {
            future.whenComplete((value, failure) -> results.invoke(new Result<>(place, value, failure)));
        }
    }

    /** Drops the element because of what was thrown, or throws it again, as supervision says. */
    final void drop(Place<I, O> place, Exception failure) throws Exception {
        if (!FutureFailure.dropsElement(inherited, failure)) {
            throw failure;
        }
        place.failure = failure;
        place.dropped = true;
        onSettled(place);
    }

    /** Starts the work of an element. */
    @FunctionalInterface
    interface FutureCall<O> {
        CompletionStage<? extends O> start() throws Exception;
    }

    private void onResult(Result<I, O> result) throws Exception {
        note(result.place(), result.value(), result.failure());
        settle(result.place());
        if (result.place().dropped || isAvailable(out)) {
            goOn();
        }
    }

    private void note(Place<I, O> place, @Nullable O value, @Nullable Throwable failure) {
        place.value = value;
        if (failure != null) {
            place.failure = FutureFailure.causeOf(failure);
        } else if (value == null) {
            place.failure = new NullPointerException("the future of " + operator + " completed with null");
        }
    }

    private void settle(Place<I, O> place) throws Exception {
        place.dropped = place.failure != null && FutureFailure.dropsElement(inherited, place.failure);
        onSettled(place);
    }

    private void goOn() {
        Place<I, O> first = places.peek();
        while (first != null && first.dropped) {
            places.remove();
            first = places.peek();
        }
        if (first != null && isAvailable(out)) {
            emit(first);
        }
        if (isClosed(in) && places.isEmpty()) {
            completeStage();
        } else if (places.size() < parallelism) {
            tryPull(in);
        }
    }

    private void emit(Place<I, O> first) {
        if (first.failure != null) {
            failStage(first.failure);
        } else if (first.value != null) {
            places.remove();
            push(out, first.value);
        }
    }
}
