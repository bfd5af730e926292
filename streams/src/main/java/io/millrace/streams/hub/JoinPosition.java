package io.millrace.streams.hub;

/**
 * Where a consumer of a hub starts.
 *
 * @param mostReplayed how many elements before the tail it wants at most; negative for {@link #tail()}
 */
public record JoinPosition(int mostReplayed) {
    private static final JoinPosition TAIL = new JoinPosition(-1);
    private static final JoinPosition HEAD = new JoinPosition(Integer.MAX_VALUE);

    /**
     * At the next element while another consumer is live, else at the oldest element that no consumer has taken, so that
     * nothing is lost between the last consumer and the next.
     */
    public static JoinPosition tail() {
        return TAIL;
    }

    /** At the oldest element that the buffer holds, taken by others or not. */
    public static JoinPosition head() {
        return HEAD;
    }

    /** At the given number of elements before the tail, or at the oldest that the buffer holds if those are fewer. */
    public static JoinPosition replay(int elements) {
        if (elements < 0) {
            throw new IllegalArgumentException("replay: " + elements + " must not be negative");
        }
        return new JoinPosition(elements);
    }

    /** Whether the consumer begins with what comes after it joined. */
    public boolean isTail() {
        return mostReplayed < 0;
    }
}
