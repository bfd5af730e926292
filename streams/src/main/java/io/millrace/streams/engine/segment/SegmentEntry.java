package io.millrace.streams.engine.segment;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The one element that has come in at a segment's inlet, as an iterator. */
final class SegmentEntry implements Iterator<Object> {
    private @Nullable Object element;

    /** An iterator of this element: the last one again, if there is one. */
    static SegmentEntry of(Object element, @Nullable SegmentEntry last) {
        SegmentEntry entry = last == null ? new SegmentEntry() : last;
        entry.element = element;
        return entry;
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
