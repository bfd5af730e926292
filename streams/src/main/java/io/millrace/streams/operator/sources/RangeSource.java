package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.segment.Origin;
import io.millrace.streams.engine.segment.OriginStage;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Emits the numbers from one to before another. */
public final class RangeSource extends OriginStage<Integer> {
    public RangeSource(int from, int toExclusive) {
        super("range", new Numbers(from, toExclusive));
    }

    private record Numbers(int from, int toExclusive) implements Origin {
        @Override
        public Iterator<?> newIterator() {
            return new Counter(from, toExclusive);
        }

        @Override
        public boolean isPlain() {
            return true;
        }

        @Override
        public boolean makesElements() {
            return true;
        }
    }

    private static final class Counter implements Iterator<Integer> {
        private final int toExclusive;
        private int next;

        Counter(int from, int toExclusive) {
            this.toExclusive = toExclusive;
            next = from;
        }

        @Override
        public boolean hasNext() {
            return next < toExclusive;
        }

        @Override
        public Integer next() {
            if (next >= toExclusive) {
                throw new NoSuchElementException("the range has ended");
            }
            return next++;
        }
    }
}
