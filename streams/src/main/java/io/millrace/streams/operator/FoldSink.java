package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import java.util.Objects;

/** Makes one result, one by one, of the zero and the elements. */
public final class FoldSink<I, A> extends SinkStage<I, A> {
    private final A zero;
    private final ThrowingBiFunction<? super A, ? super I, ? extends A> function;

    public FoldSink(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("fold");
        this.zero = Objects.requireNonNull(zero, "zero");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    Logic<I, A> createLogic() {
        return new Logic<>(this) {
            private A last = zero;

            @Override
            void accept(I element) throws Exception {
                last = function.apply(last, element);
            }

            @Override
            A resultAtEnd() {
                return last;
            }
        };
    }
}
