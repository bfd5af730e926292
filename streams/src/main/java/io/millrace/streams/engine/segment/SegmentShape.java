package io.millrace.streams.engine.segment;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What all segments of one {@link ShapeKey} share once they are hot: what was seen of the elements, and then the body with a class of its own.
 *
 * <p><b>Threads</b>: any island.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code made}, {@code passedOn}, {@code kept}: only ever set, and what is missed is a matter of speed; {@code left}: counted down
 * atomically, so that one of them asks for the body; {@code body}: written once by who has defined it.<br>
 * <b>States</b>: profiled -> asked for -> specialised, or given up where too many live.<br>
 * <b>Proved by</b>: SpecialisationTest, ShapeTest.
 */
final class SegmentShape {
    private static final int LOOKED_AT = 256;

    private final ShapeKey key;
    private final boolean madeAtHead;
    private final boolean[] made;
    private final boolean[] passedOn;
    private final boolean[] kept;
    private final AtomicInteger left = new AtomicInteger(LOOKED_AT);
    private final boolean followsAlike;
    private volatile @Nullable SegmentBody body;

    /**
     * @param madeAtHead whether what comes to the first step is made right before it
     */
    SegmentShape(ShapeKey key, int stepCount, boolean madeAtHead) {
        this(key, stepCount, madeAtHead, false);
    }

    private SegmentShape(ShapeKey key, int stepCount, boolean madeAtHead, boolean followsAlike) {
        this.key = key;
        this.followsAlike = followsAlike;
        this.madeAtHead = madeAtHead;
        made = new boolean[stepCount];
        passedOn = new boolean[stepCount];
        kept = new boolean[stepCount];
    }

    boolean isOf(HotLine other, boolean othersMadeAtHead) {
        return madeAtHead == othersMadeAtHead && key.isOf(other);
    }

    /** Whether this line has steps of the same kinds. */
    boolean isAlike(HotLine other, boolean othersMadeAtHead) {
        return madeAtHead == othersMadeAtHead && key.isAlike(other);
    }

    /** That of the next line in its place, with steps of the same kinds. */
    SegmentShape next(HotLine other) {
        ShapeKey next = followsAlike ? ShapeKey.Kinds.of(other) : ShapeKey.of(other);
        return new SegmentShape(next, other.steps().length, madeAtHead, true);
    }

    /** Whether all is constant in it, so that a segment can have no better one. */
    boolean isWhole() {
        return key.isWhole();
    }

    /** A body for these steps of the class that was made for it, if that is there. */
    @Nullable
    SegmentBody bodyOf(Step<?>[] steps) {
        SegmentBody made = body;
        return made == null ? null : made.of(steps);
    }

    /** Whether some step has a form of its own for elements that are made within the line, so that it pays to look at some. */
    boolean wantsProfile() {
        return key.wantsProfile();
    }

    /** Notes what comes to a step: what came to the segment, or what one of its steps has made. */
    void note(int step, Object passed, boolean isWhatCame) {
        if (!isCachedBox(passed)) {
            boolean[] notes = isWhatCame && !madeAtHead ? passedOn : made;
            notes[step] = true;
        }
    }

    /** Notes what a step keeps, which was made for this element. */
    void noteKept(int step, Object made) {
        if (!isCachedBox(made)) {
            kept[step] = true;
        }
    }

    /** Whether it is a box that every step would give for this number: it says nothing of where it was made. */
    private static boolean isCachedBox(Object element) {
        return (element instanceof Integer number && element == (Object) Integer.valueOf(number.intValue()))
                || (element instanceof Long other && element == (Object) Long.valueOf(other.longValue()));
    }

    /** Counts an element that was looked at; how many are left, which is zero once. */
    int countLooked() {
        return left.decrementAndGet();
    }

    /** Has the body made, which this segment gets as soon as it is there, and others when they look. Where too many live, the shape is given up. */
    void request(Segment segment) {
        NewObjects[] seen = new NewObjects[made.length];
        Arrays.setAll(seen, i -> new NewObjects(made[i] && !passedOn[i], kept[i]));
        Specialiser.OF_PROCESS.request(key.constants(seen), defined -> {
            if (defined == null) {
                segment.giveUp(this);
            } else {
                body = defined;
                segment.becomeHot(this);
            }
        });
    }
}
