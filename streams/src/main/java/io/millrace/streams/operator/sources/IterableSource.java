package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.segment.Origin;
import io.millrace.streams.engine.segment.OriginStage;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** Emits what an iterable holds; each run iterates anew. */
public final class IterableSource<O> extends OriginStage<O> {
    public IterableSource(String name, Iterable<? extends O> elements) {
        super(name, new Elements(Objects.requireNonNull(elements, "elements")));
    }

    /** Completes at once. */
    public static <O> IterableSource<O> empty() {
        return new IterableSource<>("empty", List.of());
    }

    private record Elements(Iterable<?> elements) implements Origin {
        @Override
        public Iterator<?> newIterator() {
            return elements.iterator();
        }

        /** The collections of the platform are there; anybody else's may be a way to somewhere far. */
        @Override
        public boolean isPlain() {
            return elements instanceof Collection && elements.getClass().getClassLoader() == null;
        }
    }
}
