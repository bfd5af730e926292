package io.millrace.streams.operator.futures;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Emits the zero and then, for each element, what a future makes of the last result and the element; one at a time. */
public final class ScanAsyncStage<I, A> extends LinearStage<I, A> {
    private final A zero;
    private final ThrowingBiFunction<? super A, ? super I, ? extends CompletionStage<A>> function;

    public ScanAsyncStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends CompletionStage<A>> function) {
        super("scanAsync");
        this.zero = Objects.requireNonNull(zero, "zero");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FutureByFuture<I, A, A>(this, inherited) {
            private A last = zero;

            @Override
            public void preStart() {
                emit(out, zero);
            }

            @Override
            CompletionStage<? extends A> call(I element) throws Exception {
                return function.apply(last, element);
            }

            @Override
            void onValue(A result) {
                last = result;
                push(out, result);
            }

            @Override
            void onEnd() {
                completeStage();
            }

            @Override
            void restart() {
                last = zero;
            }
        };
    }
}
