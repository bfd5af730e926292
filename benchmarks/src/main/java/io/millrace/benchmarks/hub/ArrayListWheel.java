package io.millrace.benchmarks.hub;

import java.util.ArrayList;
import java.util.List;

/** A list of consumers per slot, scanned to take one out: how Pekko's hub began. */
final class ArrayListWheel implements Wheel {
    private record Consumer(int id) {}

    private final List<List<Consumer>> slots = new ArrayList<>();
    private final int mask;
    private long[] positions = {};

    ArrayListWheel(int buffer) {
        mask = 2 * buffer - 1;
        for (int i = 0; i <= mask; i++) {
            slots.add(new ArrayList<>());
        }
    }

    @Override
    public String name() {
        return "array-list";
    }

    @Override
    public void fill(int consumers) {
        positions = new long[consumers];
        for (int i = 0; i < consumers; i++) {
            slots.get(0).add(new Consumer(i));
        }
    }

    @Override
    public void move(int consumer, long to) {
        List<Consumer> from = slots.get((int) positions[consumer] & mask);
        int at = 0;
        while (from.get(at).id() != consumer) {
            at++;
        }
        slots.get((int) to & mask).add(from.remove(at));
        positions[consumer] = to;
    }

    @Override
    public long advance(long head, long tail) {
        long reached = head;
        while (reached != tail && slots.get((int) reached & mask).isEmpty()) {
            reached++;
        }
        return reached;
    }
}
