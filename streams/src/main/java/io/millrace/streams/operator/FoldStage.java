package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Emits one result when upstream completes: what a function makes, one by one, of the zero and the elements. */
public final class FoldStage<I, A> extends LinearStage<I, A> {
    private final A zero;
    private final ThrowingBiFunction<? super A, ? super I, ? extends A> function;

    public FoldStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("fold");
        this.zero = Objects.requireNonNull(zero, "zero");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private A result = zero;

            @Override
            public void onPush() throws Exception {
                result = function.apply(result, grab(in));
                pull(in);
            }

            @Override
            public void onUpstreamFinish() {
                emit(out, result);
                completeStage();
            }
        };
    }
}
