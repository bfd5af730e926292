package io.millrace.streams.engine;

import io.millrace.streams.engine.pool.Turn;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What an expansion makes of the elements that come in, one after the other, in one run. */
final class Expanding implements Iterator<Object> {
    private final Expansion<Object> expansion;
    private @Nullable Iterator<?> made;
    private @Nullable Iterator<?> above;
    private int atMost;
    private int taken;
    private boolean outside;
    private @Nullable Turn turn;

    Expanding(Expansion<Object> expansion) {
        this.expansion = expansion;
    }

    /** It may take so many elements from there, if there is any, until it is closed; not many if the turn gets long. */
    void open(@Nullable Iterator<?> source, int most, Turn current) {
        above = source;
        turn = current;
        atMost = most;
        taken = 0;
        outside = false;
    }

    /** Takes no more from above, and says how many it took. */
    int close() {
        above = null;
        turn = null;
        return taken;
    }

    /** Whether the elements above have thrown, not the expansion. */
    boolean isOutside() {
        return outside;
    }

    /** Goes on with what becomes of this element. */
    void expand(Object element) throws Exception {
        made = NullElementException.checked(expansion.expand(element), "", "there is no iterator, but null");
    }

    /** Gives up what is left of the last element. */
    void drop() {
        made = null;
    }

    /** Whether something may be left of the last element. */
    boolean isOpen() {
        return made != null;
    }

    /** Whether something is left of the last element. */
    boolean hasRest() {
        Iterator<?> last = made;
        if (last != null && last.hasNext()) {
            return true;
        }
        made = null;
        return false;
    }

    @Override
    public boolean hasNext() {
        while (!hasRest()) {
            Iterator<?> source = above;
            if (source == null || taken == atMost || (taken > 0 && turn != null && turn.isLong())) {
                return false;
            }
            outside = true;
            if (!source.hasNext()) {
                outside = false;
                return false;
            }
            Object element = source.next();
            outside = false;
            taken++;
            try {
                expand(element);
            } catch (Exception e) {
                throw Unchecked.of(e);
            }
        }
        return true;
    }

    @Override
    public Object next() {
        Iterator<?> last = made;
        if (last == null) {
            throw new NoSuchElementException("nothing is left of the last element");
        }
        return last.next();
    }
}
