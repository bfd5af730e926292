package io.millrace.streams.operator.futures;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Emits one result at the end: what futures make, one by one, of the zero and the elements. */
public final class FoldAsyncStage<I, A> extends LinearStage<I, A> {
    private final A zero;
    private final ThrowingBiFunction<? super A, ? super I, ? extends CompletionStage<A>> function;

    public FoldAsyncStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends CompletionStage<A>> function) {
        super("foldAsync");
        this.zero = Objects.requireNonNull(zero, "zero");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FutureByFuture<I, A, A>(this, inherited) {
            private A last = zero;

            @Override
            CompletionStage<? extends A> call(I element) throws Exception {
                return function.apply(last, element);
            }

            @Override
            void onValue(A result) {
                last = result;
                tryPull(in);
            }

            @Override
            void onEnd() {
                emit(out, last);
                completeStage();
            }

            @Override
            void restart() {
                last = zero;
            }
        };
    }
}
