package io.millrace.broker.dispatch;

/**
 * How fast counters grow that never become less, by their difference from one look to the next: nothing is done for each
 * event, and nothing while nobody asks. The rates are those since the last look that is ten seconds old or older; in the first
 * ten seconds, those since the beginning. Owned by the counters' owner.
 */
public final class Meter {
    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final double SECOND_NANOS = 1e9;

    private final long[] before;
    private final double[] rates;
    private long sinceNanos;
    private boolean isMeasured;

    /** Of so many counters that were all 0 at that time. */
    public Meter(int counters, long sinceNanos) {
        before = new long[counters];
        rates = new double[counters];
        this.sinceNanos = sinceNanos;
    }

    /** The rates a second, in the order of the counters, which are what is given now; less than a second counts as one. */
    public double[] look(long nowNanos, long... counters) {
        long elapsedNanos = nowNanos - sinceNanos;
        boolean isWindowOver = elapsedNanos >= WINDOW_NANOS;
        if (isWindowOver || !isMeasured) {
            double seconds = Math.max(1, elapsedNanos / SECOND_NANOS);
            for (int i = 0; i < rates.length; i++) {
                rates[i] = (counters[i] - before[i]) / seconds;
            }
        }
        if (isWindowOver) {
            isMeasured = true;
            sinceNanos = nowNanos;
            System.arraycopy(counters, 0, before, 0, before.length);
        }
        return rates.clone();
    }
}
