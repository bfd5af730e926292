package io.millrace.streams.hub;

import io.millrace.streams.graph.ThrowingFunction;

/**
 * Chooses the consumer of each element of a partition hub. Made anew for each hub and called by one thread at a time, so
 * it may keep state in plain fields.
 */
@FunctionalInterface
public interface Partitioner<T> {
    /** What it answers to drop an element; any other negative number means the same. */
    int DROP = -1;

    /**
     * The index of the consumer that gets the element, from 0 to {@code consumers.count() - 1}, of which there is at least
     * one with room; or a negative number to drop the element. A consumer without room is waited for. What it throws fails
     * the hub, as does an index out of range.
     */
    int choose(PartitionConsumers consumers, T element) throws Exception;

    /** Each in turn, skipping those without room. */
    static <T> Partitioner<T> roundRobin() {
        return new Partitioner<>() {
            private int turn;

            @Override
            public int choose(PartitionConsumers consumers, T element) {
                int count = consumers.count();
                for (int step = 0; step < count; step++) {
                    turn = (turn + 1) % count;
                    if (consumers.hasRoom(turn)) {
                        break;
                    }
                }
                return turn;
            }
        };
    }

    /** The one with the fewest elements queued; the first of several. */
    static <T> Partitioner<T> leastQueued() {
        return (consumers, element) -> {
            int least = 0;
            for (int index = 1; index < consumers.count(); index++) {
                if (consumers.queued(index) < consumers.queued(least)) {
                    least = index;
                }
            }
            return least;
        };
    }

    /**
     * Equal keys to the same consumer as long as it stays; who comes or goes moves only the keys that it takes or leaves
     * (highest random weight, D. Thaler and C. Ravishankar, 1998).
     */
    static <T> Partitioner<T> sticky(ThrowingFunction<? super T, ?> key) {
        return (consumers, element) -> {
            long hash = key.apply(element).hashCode();
            int chosen = 0;
            for (int index = 1; index < consumers.count(); index++) {
                if (weight(hash, consumers.id(index)) > weight(hash, consumers.id(chosen))) {
                    chosen = index;
                }
            }
            return chosen;
        };
    }

    /** Mixes as the finaliser of SplitMix64 does. */
    private static long weight(long hash, long id) {
        long mixed = hash * 0x9E3779B97F4A7C15L + id;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
