package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.AwaitsFutures;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Replaces each element by the result of a future, some at a time, in the order in which the futures complete. */
public final class MapAsyncUnorderedStage<I, O> extends LinearStage<I, O> {
    private final int parallelism;
    private final ThrowingFunction<? super I, ? extends CompletionStage<O>> function;

    public MapAsyncUnorderedStage(int parallelism, ThrowingFunction<? super I, ? extends CompletionStage<O>> function) {
        super("mapAsyncUnordered");
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

    /** What became of a future. */
    private record Result<O>(@Nullable O value, @Nullable Throwable failure) {}

    private final class AsyncLogic extends Logic<I, O> implements AwaitsFutures {
        private final Queue<O> finished = new ArrayDeque<>();
        private final AsyncCallback<Result<O>> results = asyncCallback(this::onResult);
        private final Attributes inherited;
        private int running;

        AsyncLogic(Attributes inherited) {
            super(MapAsyncUnorderedStage.this);
            this.inherited = inherited;
        }

        @Override
        public void onPush() throws Exception {
            start(grab(in));
            goOn();
        }

        private void start(I element) throws Exception {
            CompletionStage<O> future;
            try {
                future = Step.required(function.apply(element), "mapAsyncUnordered");
            } catch (Exception failure) {
                if (Verdict.dropsElement(inherited, failure)) {
                    return;
                }
                throw failure;
            }
            running++;
            if (FutureWait.isDone(future)) {
                Result<?>[] result = new Result<?>[1];
                FutureWait.whenDone(future, (value, failure) -> result[0] = new Result<O>(value, failure));
                take(result[0]); // out here, where what it throws reaches the stage
            } else {
                AsyncCallback<Result<O>> toStage = results; // all that the future keeps
                FutureWait.whenDone(future, (value, failure) -> toStage.invoke(new Result<>(value, failure)));
            }
        }

        @SuppressWarnings("unchecked")
        private void take(Result<?> result) {
            onResult((Result<O>) result);
        }

        @Override
        public void onPull() {
            O element = finished.poll();
            if (element != null) {
                push(out, element);
            }
            goOn();
        }

        @Override
        public void onUpstreamFinish() {
            goOn();
        }

        @Override
        public boolean awaitsFuture() {
            return running > 0;
        }

        private void onResult(Result<O> result) {
            running--;
            if (FutureFailure.mayBeForced(this, result.failure())) {
                return;
            }
            O value = result.value();
            if (result.failure() != null) {
                onFailure(FutureFailure.causeOf(result.failure()));
            } else if (value == null) {
                onFailure(NullElementException.ofFuture(name()));
            } else if (isAvailable(out)) {
                push(out, value);
            } else {
                finished.add(value);
            }
            goOn();
        }

        private void onFailure(Throwable failure) {
            if (!Verdict.dropsElement(inherited, failure)) {
                failStage(failure);
            }
        }

        private void goOn() {
            if (isClosed(in)) {
                if (running == 0 && finished.isEmpty()) {
                    completeStage();
                }
            } else if (running + finished.size() < parallelism) {
                tryPull(in);
            }
        }
    }
}
