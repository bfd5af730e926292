package io.millrace.streams.fuzz;

import io.millrace.streams.graph.ThrowingFunction;
import java.util.Iterator;

/** An iterable of which the iterator fails in its midst. */
final class Faulty {
    private Faulty() {}

    /** A checked exception that an iterator may not throw as it is. */
    static final class Wrapped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrapped(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** The element so many times, and once more if the check lets it; the check is in hasNext. */
    static Iterable<Object> iterable(Object element, int good, ThrowingFunction<Integer, Integer> check) {
        return () -> new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
                if (given < good) {
                    return true;
                }
                try {
                    return check.apply(given) == good;
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new Wrapped(e);
                }
            }

            @Override
            public Object next() {
                given++;
                return element;
            }
        };
    }
}
