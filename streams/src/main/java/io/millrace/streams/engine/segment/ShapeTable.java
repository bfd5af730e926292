package io.millrace.streams.engine.segment;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of segments that are hot, and how many elements have passed those that are not yet: over all graphs and runs, so that a program which
 * builds its graph for each request gets there, too. Until a shape is hot, only numbers are kept of it, and nothing of the user's. Then it is kept as long as there is memory. There
 * is one for the whole process, as there is of {@link Specialiser}.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code counts}: a part of the hash and the count in one, read and written without care, as a lost count only delays; {@code
 * shapes}: by compare-and-set.<br>
 * <b>Proved by</b>: ShapeTest.
 */
final class ShapeTable {
    static final ShapeTable OF_PROCESS = new ShapeTable();

    private static final int PLACES = 1024;
    private static final long COUNT_BITS = 0xFFFF_FFFFL;

    private final long[] counts = new long[PLACES];
    private final AtomicReferenceArray<@Nullable SoftReference<SegmentShape>> shapes =
            new AtomicReferenceArray<>(PLACES);

    private ShapeTable() {}

    /** A hot shape of this hash, if there is one. */
    @Nullable
    SegmentShape find(int hash) {
        SoftReference<SegmentShape> kept = shapes.get(place(hash));
        return kept == null ? null : kept.get();
    }

    /**
     * The hot shape of this line, which takes the place of another: that of kinds, where those before differed in numbers only, as the next line may; but not at
     * once, as a program may have come to stay with its numbers.
     */
    SegmentShape enter(int hash, HotLine line, boolean madeAtHead) {
        int place = place(hash);
        while (true) {
            SoftReference<SegmentShape> before = shapes.get(place);
            SegmentShape there = before == null ? null : before.get();
            if (there != null && there.isOf(line, madeAtHead)) {
                return there;
            }
            SegmentShape made = there != null && there.isAlike(line, madeAtHead)
                    ? there.next(line)
                    : new SegmentShape(ShapeKey.of(line), line.steps().length, madeAtHead);
            if (shapes.compareAndSet(place, before, new SoftReference<>(made))) {
                return made;
            }
        }
    }

    /** Keeps this shape no longer. */
    void forget(int hash, SegmentShape shape) {
        SoftReference<SegmentShape> kept = shapes.get(place(hash));
        if (kept != null && kept.get() == shape) {
            shapes.compareAndSet(place(hash), kept, null);
        }
    }

    /**
     * Counts elements that have passed steps of this hash; whether those are hot by that. Of two that share a place, the one with
     * more elements stays.
     */
    boolean isHot(int hash, long passed) {
        int place = place(hash);
        long seen = counts[place];
        long count = seen & COUNT_BITS;
        if ((int) (seen >>> 32) == hash) {
            count += passed;
        } else if (count > passed) {
            counts[place] = seen - passed;
            return false;
        } else {
            count = passed;
        }
        boolean isHot = count >= Segment.HOT;
        counts[place] = (long) hash << 32 | (isHot ? 0 : count);
        return isHot;
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }
}
