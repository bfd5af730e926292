package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Auto-split by consistent hashing (Karger et al. 1997): each consumer has 100 points on the ring of key hashes and
 * owns the hashes between each of them and the point before. The points follow from consumer names alone, so a consumer
 * that reconnects under its name owns the same hashes again.
 */
final class HashRing implements KeyRanges {
    static final int POINTS_PER_CONSUMER = 100;

    /** No key has the hash 0. */
    private static final int FIRST_HASH = 1;

    private static final Consumer[] NOBODY = {};

    private final IdentityHashMap<Consumer, Integer> twins = new IdentityHashMap<>();
    private int[] points = {};
    private Consumer[] owners = NOBODY;

    @Override
    public void admit(ConsumerOptions options) {
        // The ring has room for any number.
    }

    @Override
    public @Nullable Consumer rival(ConsumerOptions options) {
        return null;
    }

    @Override
    public void add(Consumer consumer) {
        int twin = freeTwin(consumer.options.name());
        twins.put(consumer, twin);
        int[] own = pointsOf(consumer.options.name(), twin);
        int count = points.length + own.length;
        int[] merged = new int[count];
        Consumer[] mergedOwners = new Consumer[count];
        int old = 0;
        int added = 0;
        for (int i = 0; i < count; i++) {
            boolean takeOld = added == own.length
                    || (old < points.length && isFirst(points[old], owners[old], own[added], consumer));
            merged[i] = takeOld ? points[old] : own[added];
            mergedOwners[i] = takeOld ? owners[old++] : consumer;
            added += takeOld ? 0 : 1;
        }
        points = merged;
        owners = mergedOwners;
    }

    @Override
    public void remove(Consumer consumer) {
        twins.remove(consumer);
        int kept = 0;
        int[] left = new int[points.length];
        Consumer[] leftOwners = new Consumer[points.length];
        for (int i = 0; i < points.length; i++) {
            if (owners[i] != consumer) {
                left[kept] = points[i];
                leftOwners[kept++] = owners[i];
            }
        }
        points = Arrays.copyOf(left, kept);
        owners = Arrays.copyOf(leftOwners, kept);
    }

    @Override
    public @Nullable Consumer ownerOf(int keyHash) {
        if (points.length == 0) {
            return null;
        }
        int low = 0;
        int high = points.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points[middle] < keyHash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return owners[low == points.length ? 0 : low];
    }

    @Override
    public Map<Consumer, List<HashRange>> byConsumer() {
        Map<Consumer, List<HashRange>> all = new HashMap<>();
        int first = FIRST_HASH;
        for (int i = 0; i < points.length; i++) {
            if (points[i] >= first) {
                addTo(all.computeIfAbsent(owners[i], unused -> new ArrayList<>()), first, points[i]);
                first = points[i] + 1;
            }
        }
        if (points.length > 0 && first < HASHES) {
            addTo(all.computeIfAbsent(owners[0], unused -> new ArrayList<>()), first, HASHES - 1);
        }
        return all;
    }

    /** Adds a range, which continues the one before if there is none between them. */
    private static void addTo(List<HashRange> ranges, int first, int last) {
        int before = ranges.size() - 1;
        if (before >= 0 && ranges.get(before).last() == first - 1) {
            ranges.set(before, new HashRange(ranges.get(before).first(), last));
        } else {
            ranges.add(new HashRange(first, last));
        }
    }

    /** Whether one comes before the other. Of equal points the first owns the hash, whichever consumer joined first. */
    private boolean isFirst(int point, Consumer owner, int otherPoint, Consumer other) {
        if (point != otherPoint) {
            return point < otherPoint;
        }
        int byName = owner.options.name().compareTo(other.options.name());
        return byName != 0 ? byName < 0 : twin(owner) <= twin(other);
    }

    private int twin(Consumer consumer) {
        return twins.getOrDefault(consumer, 0);
    }

    /** Consumers of the same name are distinguished by the smallest free number. */
    private int freeTwin(String name) {
        BitSet taken = new BitSet();
        twins.forEach((consumer, twin) -> {
            if (consumer.options.name().equals(name)) {
                taken.set(twin);
            }
        });
        return taken.nextClearBit(0);
    }

    private static int[] pointsOf(String name, int twin) {
        long state = twin;
        for (int i = 0; i < name.length(); i++) {
            state = mix(state + name.charAt(i) + 1);
        }
        int[] points = new int[POINTS_PER_CONSUMER];
        for (int i = 0; i < points.length; i++) {
            points[i] = (int) (mix(state + i) >>> 48);
        }
        Arrays.sort(points);
        return points;
    }

    /** One output of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long seed) {
        long bits = seed * 0x9E3779B97F4A7C15L + 0x9E3779B97F4A7C15L;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }
}
