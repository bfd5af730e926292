package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Emits what a future makes of a state, which it replaces each time, until it makes nothing. */
public final class UnfoldAsyncSource<S extends @Nullable Object, O> extends SourceStage<O> {
    private static final String NAME = "unfoldAsync";

    private final S initial;
    private final ThrowingFunction<? super S, ? extends CompletionStage<Optional<Pair<S, O>>>> function;

    public UnfoldAsyncSource(
            S initial, ThrowingFunction<? super S, ? extends CompletionStage<Optional<Pair<S, O>>>> function) {
        super(NAME);
        this.initial = initial;
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new AsyncLogic();
    }

    private final class AsyncLogic extends Logic<O> {
        private final Awaited<Optional<Pair<S, O>>> awaited =
                new Awaited<>(NAME, StageWakeUp.of(this, nothing -> onSettled(this.awaited.take())));
        private S state = initial;

        AsyncLogic() {
            super(UnfoldAsyncSource.this);
        }

        @Override
        public void onPull() throws Exception {
            CompletionStage<Optional<Pair<S, O>>> future = Step.required(function.apply(state), NAME);
            if (FutureWait.isDone(future)) {
                onSettled(Settled.of(future, NAME));
            } else {
                awaited.begin(future);
            }
        }

        @Override
        public void postStop() {
            awaited.end();
        }

        private void onSettled(Settled<Optional<Pair<S, O>>> settled) {
            if (FutureFailure.mayBeForced(this, settled.failure())) {
                return;
            }
            Optional<Pair<S, O>> next = settled.value();
            if (settled.failure() != null) {
                failStage(settled.failure());
            } else if (next != null && next.isPresent()) {
                state = next.get().first();
                push(out, NotNull.checked(next.get().second(), NAME, "the pair holds null"));
            } else {
                completeStage();
            }
        }
    }
}
