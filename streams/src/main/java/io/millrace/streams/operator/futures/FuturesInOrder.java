package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.batch.BatchSink;
import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.AwaitsFutures;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.AsyncCallback;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Keeps a place for each element, in their order, and emits the result of the first as soon as it is there, or fails with it. */
abstract class FuturesInOrder<I, O> extends LinearStage.Logic<I, O> implements BatchSource, BatchSink, AwaitsFutures {
    private final Queue<Place<I, O>> places = new ArrayDeque<>();
    private final AsyncCallback<Result<I, O>> results = asyncCallback(this::onResult);
    private final String operator;
    private final int parallelism;
    private final Attributes inherited;
    private final Results batch = new Results();
    private final Later later = new Later(this, this::goOnNow);
    /** For how many futures it waits. */
    private int awaited;

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
        private @Nullable I element;
        private @Nullable O value;
        private @Nullable Throwable failure;
        private boolean dropped;

        Place(I element) {
            this.element = element;
        }

        I element() {
            return Objects.requireNonNull(element, "element");
        }

        /** The element, for the function that makes the future: a future that never completes keeps nothing of it. */
        I takeElement() {
            I taken = element();
            element = null;
            return taken;
        }
    }

    /** What became of the future of a place. */
    private record Result<I, O>(
            Place<I, O> place, @Nullable O value, @Nullable Throwable failure) {}

    /** An element has come: {@link #await} its future now or later. */
    abstract void begin(Place<I, O> place) throws Exception;

    /** The place's future has completed, or its function has thrown; its result may not have been emitted yet. */
    void onSettled(Place<I, O> place) {}

    @Override
    public final void onPush() throws Exception {
        take(grab(in));
        goOn();
    }

    @Override
    public final void onPull() throws Exception {
        goOn();
    }

    @Override
    public final boolean wantsMore() {
        return places.size() < parallelism && !isFirstDue();
    }

    @Override
    @SuppressWarnings("unchecked")
    public final void take(Object element) throws Exception {
        Place<I, O> place = new Place<>((I) element);
        places.add(place);
        begin(place);
    }

    @Override
    public final @Nullable Iterator<?> openBatch() {
        return batch.above.open(context().in(in)) || firstValue() != null ? batch : null;
    }

    @Override
    public final void closeBatch(int count, @Nullable Throwable thrown) throws Throwable {
        Throwable own = batch.above.close(thrown);
        if (own != null) {
            throw own;
        }
        goOn();
    }

    private StageContext context() {
        return StageContext.of(this);
    }

    /** Results that are there at once, of the elements of a batch. */
    private final class Results implements Iterator<O> {
        private final BatchLease above = new BatchLease();

        @Override
        public boolean hasNext() {
            O value = firstValue();
            while (value == null && places.isEmpty() && !isClosed(out) && above.give(context(), FuturesInOrder.this)) {
                value = firstValue();
            }
            return value != null;
        }

        @Override
        public O next() {
            O value = firstValue();
            if (value == null) {
                throw new NoSuchElementException("no result of " + operator + " is there");
            }
            places.remove();
            return value;
        }
    }

    @Override
    public final void onUpstreamFinish() {
        if (first() == null) {
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
        if (FutureWait.isDone(future)) {
            FutureWait.whenDone(future, (value, failure) -> note(place, value, failure));
            settle(place);
        } else {
            awaited++;
            AsyncCallback<Result<I, O>> toStage = results; // with the place, all that the future keeps
            FutureWait.whenDone(future, (value, failure) -> toStage.invoke(new Result<>(place, value, failure)));
        }
    }

    /** Drops the element because of what was thrown, or throws it again, as supervision says. */
    final void drop(Place<I, O> place, Exception failure) throws Exception {
        if (!Verdict.dropsElement(inherited, failure)) {
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

    @Override
    public final boolean awaitsFuture() {
        return awaited > 0;
    }

    private void onResult(Result<I, O> result) throws Exception {
        awaited--;
        if (FutureFailure.mayBeForced(this, result.failure())) {
            return;
        }
        note(result.place(), result.value(), result.failure());
        settle(result.place());
        if (result.place().dropped || isAvailable(out) || isFirstDue()) {
            goOn();
        }
    }

    private void note(Place<I, O> place, @Nullable O value, @Nullable Throwable failure) {
        place.value = value;
        if (failure != null) {
            place.failure = FutureFailure.causeOf(failure);
        } else if (value == null) {
            place.failure = NullElementException.ofFuture(operator);
        }
    }

    private void settle(Place<I, O> place) {
        place.dropped = place.failure != null && Verdict.dropsElement(inherited, place.failure);
        onSettled(place);
    }

    /** Emits what is there, and takes more, unless a failure is the first in turn. */
    final void goOn() throws Exception {
        do {
            emitFirst();
            if (wantsMore() && !isClosed(in)) {
                BatchLease.takeAll(context().in(in), this);
            }
        } while (isAvailable(out) && firstValue() != null);
        Place<I, O> first = first();
        if (first != null && first.failure != null) {
            failStage(first.failure);
        } else if (isClosed(in) && places.isEmpty()) {
            completeStage();
        } else if (wantsMore() && context().in(in).mayHaveBatchLater()) {
            later.ask();
        } else if (wantsMore()) {
            tryPull(in);
        }
    }

    private void goOnNow() throws Exception {
        goOn();
        if (wantsMore()) {
            tryPull(in);
        }
    }

    private void emitFirst() {
        O value = isAvailable(out) ? firstValue() : null;
        if (value != null) {
            places.remove();
            push(out, value);
        }
    }

    /** Whether the first in turn fails the stream, or is to be emitted now. */
    private boolean isFirstDue() {
        Place<I, O> first = first();
        return first != null && (first.failure != null || (first.value != null && isAvailable(out)));
    }

    /** The result that is next, if it is there. */
    private @Nullable O firstValue() {
        Place<I, O> first = first();
        return first == null ? null : first.value;
    }

    /** The first in turn of those that are not dropped. */
    private @Nullable Place<I, O> first() {
        Place<I, O> first = places.peek();
        while (first != null && first.dropped) {
            places.remove();
            first = places.peek();
        }
        return first;
    }
}
