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
        return new AsyncLogic();
    }

    /** What became of a future. */
    private record Result<O>(@Nullable O value, @Nullable Throwable failure) {}

    private final class AsyncLogic extends Logic<I, O> {
        private final Queue<O> finished = new ArrayDeque<>();
        private final AsyncCallback<Result<O>> results = asyncCallback(this::onResult);
        private int running;

        AsyncLogic() {
            super(MapAsyncUnorderedStage.this);
        }

        @Override
        public void onPush() throws Exception {
            CompletionStage<O> future = function.apply(grab(in));
            running++;
            future.whenComplete((value, failure) -> results.invoke(new Result<>(value, failure)));
            goOn();
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

        private void onResult(Result<O> result) {
            running--;
            O value = result.value();
            if (result.failure() != null) {
                failStage(FutureFailure.causeOf(result.failure()));
                return;
            }
            if (value == null) {
                failStage(new NullPointerException("the future of mapAsyncUnordered completed with null"));
                return;
            }
            if (isAvailable(out)) {
                push(out, value);
            } else {
                finished.add(value);
            }
            goOn();
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
