package io.millrace.streams.operator;

/** So many elements of the first input, then of the next, and so on, and again. */
final class InterleavedOrder<T> implements MergeOrder<T> {
    private final int segmentSize;
    private final boolean eagerComplete;
    private int turn;
    private int sent;

    InterleavedOrder(int segmentSize, boolean eagerComplete) {
        this.segmentSize = segmentSize;
        this.eagerComplete = eagerComplete;
    }

    @Override
    public int next(WaitingElements<T> waiting) {
        for (int skipped = 0; skipped < waiting.inputCount() && waiting.isOver(turn); skipped++) {
            passTurn(waiting);
        }
        int input = turn;
        if (waiting.element(input) == null) {
            return WAIT;
        }
        sent++;
        if (sent == segmentSize) {
            passTurn(waiting);
        }
        return input;
    }

    private void passTurn(WaitingElements<T> waiting) {
        turn = (turn + 1) % waiting.inputCount();
        sent = 0;
    }

    @Override
    public boolean isOver(WaitingElements<T> waiting) {
        return eagerComplete ? waiting.isOver(turn) : waiting.areAllOver();
    }
}
