package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.StepStage;
import org.jspecify.annotations.Nullable;

/** Emits one result when upstream completes: what a function makes of the elements, one by one; fails when there are none. */
public final class ReduceStage<T> extends StepStage<T, T> {
    public ReduceStage(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
        super("reduce", new Body<>(new Reducing<T>(function)));
    }

    private record Body<T>(Reducing<T> reducing) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return reducing.begin();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            reducing.add(element, states, at);
            return NOTHING;
        }

        @Override
        public Object flush(@Nullable Object state) {
            return reducing.result(state);
        }
    }
}
