package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.plan.JunctionTree;
import io.millrace.streams.operator.WaitingElements;
import java.util.Arrays;

/**
 * So many elements of the first child of a junction, then of the next, and so on, and again; a child is an input or another
 * junction. The children that are not over stand in a ring for each junction. One that is over is taken out at its turn, and a
 * junction with one child left is replaced by that child, so that what has ended costs nothing any more.
 */
final class InterleavedOrder<T> implements MergeOrder<T> {
    private static final int NONE = -1;
    private static final int ROOT = 0;

    private final boolean eagerComplete;
    private final int[] segmentSizes;
    /** For each place in a ring: the child that stands there, and the place after it. */
    private final int[] childAt;

    private final int[] placeAfter;
    /** For each junction: the place before the one whose turn it is, and what has gone of that turn. */
    private final int[] placeBefore;

    private final int[] sent;
    /** For each junction: how many children are not over, and the junction behind it. */
    private final int[] left;

    private final int[] behindJunction;
    private final int[] behindInput;
    /** The input whose turn it was when nothing was there. */
    private int awaited = NONE;

    InterleavedOrder(int[] segmentSizes, JunctionTree tree, boolean eagerComplete) {
        this.eagerComplete = eagerComplete;
        this.segmentSizes = segmentSizes;
        int count = tree.children().size();
        childAt = new int[tree.inputCount() + count - 1];
        placeAfter = new int[childAt.length];
        placeBefore = new int[count];
        sent = new int[count];
        left = new int[count];
        behindJunction = new int[count];
        Arrays.fill(behindJunction, NONE);
        behindInput = new int[tree.inputCount()];
        int place = 0;
        for (int junction = 0; junction < count; junction++) {
            place = addRing(junction, tree.children().get(junction), place);
        }
    }

    private int addRing(int junction, int[] own, int from) {
        int last = from + own.length - 1;
        for (int i = 0; i < own.length; i++) {
            putBehind(own[i], junction);
            childAt[from + i] = own[i];
            placeAfter[from + i] = from + i + 1;
        }
        placeAfter[last] = from;
        placeBefore[junction] = last;
        left[junction] = own.length;
        return last + 1;
    }

    private void putBehind(int child, int junction) {
        if (child < 0) {
            behindInput[JunctionTree.input(child)] = junction;
        } else {
            behindJunction[child] = junction;
        }
    }

    @Override
    public int next(WaitingElements<T> waiting) {
        if (awaited != NONE && waiting.element(awaited) == null && !waiting.isOver(awaited)) {
            return WAIT;
        }
        awaited = NONE;
        int child = ROOT;
        while (child >= 0) {
            child = childInTurn(child, waiting);
        }
        int input = JunctionTree.input(child);
        if (waiting.element(input) == null) {
            awaited = input;
            return WAIT;
        }
        count(input);
        return input;
    }

    /** The child whose turn it is at a junction that is not over. */
    private int childInTurn(int junction, WaitingElements<T> waiting) {
        int place = placeAfter[placeBefore[junction]];
        while (isOver(childAt[place], waiting)) {
            place = placeAfter[place];
            placeAfter[placeBefore[junction]] = place;
            sent[junction] = 0;
        }
        int child = childAt[place];
        while (child >= 0 && left[child] == 1) {
            child = childInTurnOfOne(child, waiting);
        }
        childAt[place] = child;
        putBehind(child, junction);
        return child;
    }

    private int childInTurnOfOne(int junction, WaitingElements<T> waiting) {
        int place = placeAfter[placeBefore[junction]];
        while (isOver(childAt[place], waiting)) {
            place = placeAfter[place];
        }
        return childAt[place];
    }

    private boolean isOver(int child, WaitingElements<T> waiting) {
        return child < 0 ? waiting.isOver(JunctionTree.input(child)) : left[child] == 0;
    }

    /** Counts an element of this input at each junction on its way. */
    private void count(int input) {
        for (int junction = behindInput[input]; junction != NONE; junction = behindJunction[junction]) {
            sent[junction]++;
            if (sent[junction] == segmentSizes[junction]) {
                placeBefore[junction] = placeAfter[placeBefore[junction]];
                sent[junction] = 0;
            }
        }
    }

    @Override
    public void over(int input) {
        int junction = behindInput[input];
        while (junction != NONE) {
            left[junction]--;
            junction = left[junction] == 0 ? behindJunction[junction] : NONE;
        }
    }

    @Override
    public boolean isOver(WaitingElements<T> waiting) {
        return eagerComplete ? isOver(childAt[placeAfter[placeBefore[ROOT]]], waiting) : waiting.areAllOver();
    }
}
