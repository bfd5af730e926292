package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.ThrowingConsumer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Does something with every element. */
public final class ForeachSink<I> extends TerminalStage<I, Done> {
    public ForeachSink(ThrowingConsumer<? super I> action) {
        super("foreach", new Body<>(Objects.requireNonNull(action, "action")));
    }

    private record Body<I>(ThrowingConsumer<? super I> action) implements Terminal<I>, FunctionStep<I> {
        @Override
        public ThrowingConsumer<? super I> function() {
            return action;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
            ((ThrowingConsumer<? super I>) exact).accept(element);
            return NOTHING;
        }

        @Override
        public boolean takesBatches() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void applyAll(ElementBatch<?> elements, @Nullable Object[] states) throws Exception {
            while (elements.hasNext()) {
                action.accept((I) elements.next());
            }
        }

        @Override
        public Object result(@Nullable Object state) {
            return Done.DONE;
        }
    }
}
