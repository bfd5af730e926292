package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.batch.BatchInput;
import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.failure.Unchecked;
import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.pool.Turn;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What an expansion makes, in one run of a segment, of the elements that come in, one after the other. */
final class Expanding implements BatchInput, Iterator<Object> {
    private final Expansion<Object> expansion;
    private final BatchInput above;
    private final StageContext stage;
    /** What is left of the last element; the class of a hot segment takes from it by itself. */
    @Nullable
    Iterator<?> made;

    private @Nullable Iterator<?> batch;
    private int taken;
    private boolean isOutside;

    /** Expands the elements of that input of a stage. */
    Expanding(Expansion<Object> expansion, BatchInput above, StageContext stage) {
        this.expansion = expansion;
        this.above = above;
        this.stage = stage;
    }

    /** Goes on with what becomes of the element that has come in. */
    void expandElement() throws Exception {
        expand(above.grab());
    }

    private void expand(Object element) throws Exception {
        made(expansion.expand(element));
    }

    // --------------------------------------------------------------------------------------------------------- a batch

    @Override
    public @Nullable Iterator<?> openBatch() {
        batch = above.openBatch();
        taken = 0;
        isOutside = false;
        return batch != null || made != null ? this : null;
    }

    @Override
    public void closeBatch(int count, @Nullable Throwable thrown) {
        if (batch != null) {
            batch = null;
            above.closeBatch(taken, thrown);
        }
    }

    @Override
    public boolean isFailureAbove() {
        return isOutside && above.isFailureAbove();
    }

    @Override
    public int work(int count) {
        return Math.max(count, taken);
    }

    @Override
    public boolean hasNext() {
        while (!hasRest()) {
            Iterator<?> source = goOutside(stage.turn());
            if (source == null) {
                return false;
            }
            if (!source.hasNext()) {
                comeBack(0);
                return false;
            }
            Object element = Step.given(source.next());
            comeBack(1);
            try {
                expand(element);
            } catch (Exception e) {
                throw Unchecked.of(e);
            }
        }
        return true;
    }

    /** Where the next element is to come from; null if none is to be taken now. What is thrown from here on is not of this stage. */
    @Nullable
    Iterator<?> goOutside(Turn turn) {
        Iterator<?> source = batch;
        if (source == null || taken == BatchLease.MAX_ELEMENTS || (taken > 0 && turn.isLong())) {
            return null;
        }
        isOutside = true;
        return source;
    }

    /** So many elements were taken there. */
    void comeBack(int count) {
        isOutside = false;
        taken += count;
    }

    /** What has become of an element. */
    Iterator<?> made(@Nullable Iterator<?> elements) {
        Iterator<?> given = NotNull.checked(elements, "", "there is no iterator, but null");
        made = given;
        return given;
    }

    private boolean hasRest() {
        if (made != null && !made.hasNext()) {
            made = null;
        }
        return made != null;
    }

    @Override
    public Object next() {
        Iterator<?> last = made;
        if (last == null) {
            throw new NoSuchElementException("nothing is left of the last element");
        }
        return last.next();
    }

    // ------------------------------------------------------------------------------------------------------ one by one

    @Override
    public boolean isElementAvailable() {
        return above.isElementAvailable() || hasRest();
    }

    @Override
    public Object grab() {
        return next();
    }

    @Override
    public void drop() {
        made = null;
    }

    @Override
    public boolean isElementAvailableOrAsk() {
        return above.isElementAvailableOrAsk();
    }

    @Override
    public void callAgain() {
        above.callAgain();
    }

    @Override
    public boolean isOver() {
        return made == null && above.isOver();
    }

    /** Whether something may be left of the last element, and nothing comes behind it. */
    @Override
    public boolean asksUser() {
        return made != null && above.isOver();
    }

    @Override
    public @Nullable Throwable failure() {
        return above.failure();
    }

    @Override
    public void cancel(Throwable why) {
        made = null;
        if (!above.isOver()) {
            above.cancel(why);
        }
    }
}
