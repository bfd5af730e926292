package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.Terminal;
import io.millrace.streams.engine.TerminalStage;
import org.jspecify.annotations.Nullable;

/** Makes one result of the elements, one by one; fails with NoSuchElementException when there are none. */
public final class ReduceSink<T> extends TerminalStage<T, T> {
    public ReduceSink(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
        super("reduce", new Body<>(new Reducing<T>(function)));
    }

    private record Body<T>(Reducing<T> reducing) implements Terminal<T> {
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
        public Object result(@Nullable Object state) {
            return reducing.result(state);
        }
    }
}
