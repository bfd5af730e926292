package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.BatchInput;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What an origin makes in one run of a segment, as its input. Which kind of origin it is, its class says, to save a field. */
class OriginInput implements BatchInput {
    /** Null once it has no more. */
    private @Nullable Iterator<?> elements;

    private OriginInput(Iterator<?> elements) {
        this.elements = elements;
    }

    static OriginInput of(Origin origin) throws Exception {
        Iterator<?> elements = OriginStage.iterator(origin);
        return origin.isPlain() ? new Plain(elements) : new OriginInput(elements);
    }

    /** What calls nothing of the user's, and so may be asked at any time. */
    private static final class Plain extends OriginInput {
        Plain(Iterator<?> elements) {
            super(elements);
        }

        @Override
        public boolean isOver() {
            return !isElementAvailable();
        }

        @Override
        public boolean asksUser() {
            return false;
        }
    }

    @Override
    public @Nullable Iterator<?> openBatch() {
        return elements;
    }

    @Override
    public void closeBatch(int count, @Nullable Throwable thrown) {
        // Nobody stands above.
    }

    @Override
    public boolean isElementAvailable() {
        if (elements != null && !elements.hasNext()) {
            elements = null;
        }
        return elements != null;
    }

    @Override
    public Object grab() {
        if (elements == null) {
            throw new NoSuchElementException("the origin has no more elements");
        }
        return Step.given(elements.next());
    }

    @Override
    public boolean isElementAvailableOrAsk() {
        elements = null; // nobody is there to be asked
        return false;
    }

    @Override
    public void callAgain() {
        throw new IllegalStateException("a segment that begins with an origin is called by its outlet or by itself");
    }

    @Override
    public boolean isOver() {
        return elements == null;
    }

    @Override
    public boolean asksUser() {
        return true;
    }

    @Override
    public void cancel(Throwable why) {
        leave();
    }

    /** Takes no more, and asks nothing. */
    void leave() {
        elements = null;
    }
}
