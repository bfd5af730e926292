package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.segment.Origin;
import io.millrace.streams.engine.segment.OriginStage;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;

/** Emits what an iterator yields, then what another one from the same supplier yields, and so on. */
public final class CycleSource<O> extends OriginStage<O> {
    public CycleSource(Supplier<? extends Iterator<? extends O>> iterators) {
        super("cycle", new Rounds(Objects.requireNonNull(iterators, "iterators")));
    }

    private record Rounds(Supplier<? extends Iterator<?>> iterators) implements Origin {
        @Override
        public Iterator<?> newIterator() {
            return new Endless(iterators);
        }
    }

    private static final class Endless implements Iterator<Object> {
        private final Supplier<? extends Iterator<?>> iterators;
        private Iterator<?> round = Collections.emptyIterator();

        Endless(Supplier<? extends Iterator<?>> iterators) {
            this.iterators = iterators;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Object next() {
            if (!round.hasNext()) {
                round = NotNull.checked(iterators.get(), "cycle", "there is no iterator, but null");
                if (!round.hasNext()) {
                    throw new NoSuchElementException("cycle: the iterator has no elements, so there is no next round");
                }
            }
            return round.next();
        }
    }
}
