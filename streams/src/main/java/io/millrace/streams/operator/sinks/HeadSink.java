package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes the first element and cancels; fails with NoSuchElementException when there is none. */
public final class HeadSink<I> extends TerminalStage<I, I> {
    public HeadSink() {
        super("head", new Body<>());
    }

    private record Body<I>() implements Terminal<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Head(control);
        }

        @Override
        public Object apply(I element, @Nullable Object[] states, int at) {
            Head head = (Head) Step.state(states, at);
            head.element = element;
            head.control.complete();
            return NOTHING;
        }

        @Override
        public Object result(@Nullable Object state) {
            Object found = ((Head) Objects.requireNonNull(state, "state")).element;
            if (found == null) {
                throw new NoSuchElementException("the stream completed without an element");
            }
            return found;
        }
    }

    private static final class Head {
        private final StepControl control;
        private @Nullable Object element;

        Head(StepControl control) {
            this.control = control;
        }
    }
}
