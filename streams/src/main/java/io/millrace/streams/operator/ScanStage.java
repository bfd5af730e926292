package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Emits the zero and then, for each element, what a function makes of the last result and the element. */
public final class ScanStage<I, A> extends LinearStage<I, A> {
    private final A zero;
    private final ThrowingBiFunction<? super A, ? super I, ? extends A> function;

    public ScanStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("scan");
        this.zero = Objects.requireNonNull(zero, "zero");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private A last = zero;
            private boolean zeroPushed;

            @Override
            public void onPull() {
                if (zeroPushed) {
                    pull(in);
                } else {
                    zeroPushed = true;
                    push(out, last);
                }
            }

            @Override
            public void onPush() throws Exception {
                last = function.apply(last, grab(in));
                push(out, last);
            }

            @Override
            public void onUpstreamFinish() {
                if (!zeroPushed) {
                    zeroPushed = true;
                    emit(out, last);
                }
                completeStage();
            }
        };
    }
}
