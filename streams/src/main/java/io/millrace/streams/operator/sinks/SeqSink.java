package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the elements in a list, which nobody can change. */
public final class SeqSink<I> extends TerminalStage<I, List<I>> {
    public SeqSink() {
        super("seq", new Body<>());
    }

    private record Body<I>() implements Terminal<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new ArrayList<I>();
        }

        @Override
        public Object apply(I element, @Nullable Object[] states, int at) {
            elements(Step.state(states, at)).add(element);
            return NOTHING;
        }

        @Override
        public boolean takesBatches() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void applyAll(ElementBatch<?> batch, @Nullable Object[] states) {
            List<I> elements = elements(Step.state(states, 0));
            while (batch.hasNext()) {
                elements.add((I) batch.next());
            }
        }

        @Override
        public Object result(@Nullable Object state) {
            return Collections.unmodifiableList(elements(Objects.requireNonNull(state, "state")));
        }

        @SuppressWarnings("unchecked")
        private static <I> List<I> elements(Object state) {
            return (List<I>) state;
        }
    }
}
