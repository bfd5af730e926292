package io.millrace.streams.engine;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The one element that has come in at a segment's inlet, as an iterator. */
final class SegmentEntry implements Iterator<Object> {
    private @Nullable Object element;

    SegmentEntry with(Object next) {
        element = next;
        return this;
    }

    @Override
    public boolean hasNext() {
        return element != null;
    }

    @Override
    public Object next() {
        Object taken = element;
        if (taken == null) {
            throw new NoSuchElementException("nothing has come in");
        }
        element = null;
        return taken;
    }
}
