package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.Done;
import org.jspecify.annotations.Nullable;

/** Drops every element. */
public final class IgnoreSink<I> extends TerminalStage<I, Done> {
    public IgnoreSink() {
        super("ignore", new Body<>());
    }

    private record Body<I>() implements Terminal<I> {
        @Override
        public Object apply(I element, @Nullable Object[] states, int at) {
            return NOTHING;
        }

        @Override
        public boolean takesBatches() {
            return true;
        }

        @Override
        public void applyAll(ElementBatch<?> elements, @Nullable Object[] states) {
            while (elements.hasNext()) {
                elements.next();
            }
        }

        @Override
        public Object result(@Nullable Object state) {
            return Done.DONE;
        }
    }
}
