package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.segment.Origin;
import io.millrace.streams.engine.segment.OriginStage;
import java.util.Iterator;

/** Emits the same element for ever. */
public final class RepeatSource<O> extends OriginStage<O> {
    public RepeatSource(O element) {
        super("repeat", new Same(NotNull.checked(element, "repeat", "the element is null")));
    }

    private record Same(Object element) implements Origin, Iterator<Object> {
        @Override
        public Iterator<?> newIterator() {
            return this;
        }

        @Override
        public boolean isPlain() {
            return true;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Object next() {
            return element;
        }
    }
}
