package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.AwaitsFutures;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision.Directive;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.AsyncCallback;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Makes a future of each element once that of the one before has completed. */
abstract class FutureByFuture<I, R, O> extends LinearStage.Logic<I, O> implements AwaitsFutures {
    private final AsyncCallback<Result<R>> results = asyncCallback(this::onResult);
    private final String operator;
    private final Attributes inherited;
    private final Later later = new Later(this, this::onEnd);
    private boolean isRunning;

    FutureByFuture(LinearStage<I, O> stage, Attributes inherited) {
        super(stage);
        operator = stage.name();
        this.inherited = inherited;
    }

    /** What became of a future. */
    private record Result<R>(@Nullable R value, @Nullable Throwable failure) {}

    /** Starts the work of an element. */
    abstract CompletionStage<? extends R> call(I element) throws Exception;

    /** What is wrong with a value, which then counts as the failure of its future; null if nothing is. */
    @Nullable
    Throwable flawOf(R value) {
        return null;
    }

    /** The work of the last element is done; downstream still waits for an element. */
    abstract void onValue(R value) throws Exception;

    /** There is no more to come, nothing runs, and what was emitted has left the island. */
    abstract void onEnd() throws Exception;

    /** Goes back to the first state. */
    abstract void restart();

    @Override
    public final boolean awaitsFuture() {
        return isRunning;
    }

    @Override
    public final void onPush() throws Exception {
        CompletionStage<? extends R> future;
        try {
            future = Step.required(call(grab(in)), operator);
        } catch (Exception failure) {
            if (!isDropped(failure)) {
                throw failure;
            }
            tryPull(in);
            return;
        }
        isRunning = true;
        if (FutureWait.isDone(future)) {
            Result<?>[] result = new Result<?>[1];
            FutureWait.whenDone(future, (value, failure) -> result[0] = new Result<R>(value, failure));
            take(result[0]);
        } else {
            AsyncCallback<Result<R>> toStage = results; // all that the future keeps
            FutureWait.whenDone(future, (value, failure) -> toStage.invoke(new Result<>(value, failure)));
        }
    }

    @SuppressWarnings("unchecked")
    private void take(Result<?> result) throws Exception {
        onResult((Result<R>) result);
    }

    @Override
    public final void onPull() {
        tryPull(in);
    }

    @Override
    public final void onUpstreamFinish() throws Exception {
        if (!isRunning) {
            later.ask();
        }
    }

    private void onResult(Result<R> result) throws Exception {
        isRunning = false;
        if (FutureFailure.mayBeForced(this, result.failure())) {
            return;
        }
        R value = result.value();
        Throwable failure = value == null ? failureOf(result) : flawOf(value);
        if (failure != null && !isDropped(failure)) {
            failStage(failure);
            return;
        }
        if (value == null || failure != null) {
            tryPull(in);
        } else {
            onValue(value);
        }
        if (isClosed(in)) {
            later.ask();
        }
    }

    private Throwable failureOf(Result<R> result) {
        return result.failure() == null
                ? NullElementException.ofFuture(operator)
                : FutureFailure.causeOf(result.failure());
    }

    private boolean isDropped(Throwable failure) {
        Directive directive = Verdict.of(inherited, failure);
        if (directive == Directive.RESTART) {
            restart();
        }
        return directive != Directive.STOP;
    }
}
