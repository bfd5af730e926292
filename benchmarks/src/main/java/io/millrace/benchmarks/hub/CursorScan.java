package io.millrace.benchmarks.hub;

/** No wheel: each consumer writes its position into a cell, and the producer looks for the least once per batch. */
final class CursorScan implements Wheel {
    private long[] positions = {};

    @Override
    public String name() {
        return "cursor-scan";
    }

    @Override
    public void fill(int consumers) {
        positions = new long[consumers];
    }

    @Override
    public void move(int consumer, long to) {
        positions[consumer] = to;
    }

    @Override
    public long advance(long head, long tail) {
        long least = tail;
        for (long position : positions) {
            least = Math.min(least, position);
        }
        return least;
    }
}
