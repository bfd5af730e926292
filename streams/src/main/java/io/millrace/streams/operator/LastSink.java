package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.Terminal;
import io.millrace.streams.engine.TerminalStage;
import org.jspecify.annotations.Nullable;

/** Takes the last element; fails with NoSuchElementException when there is none. */
public final class LastSink<I> extends TerminalStage<I, I> {
    public LastSink() {
        super("last", new Body<>(new Reducing<I>(new Later<>())));
    }

    private record Later<I>() implements ThrowingBiFunction<I, I, I> {
        @Override
        public I apply(I earlier, I later) {
            return later;
        }
    }

    private record Body<I>(Reducing<I> reducing) implements Terminal<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return reducing.begin();
        }

        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            reducing.add(element, states, at);
            return NOTHING;
        }

        @Override
        public Object result(@Nullable Object state) {
            return reducing.result(state);
        }
    }
}
