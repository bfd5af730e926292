package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Auto-split by consistent hashing (Karger et al. 1997): each consumer has 100 points on the ring of key hashes and
 * owns the hashes between each of them and the point before. The points follow from consumer names alone, so a consumer
 * that reconnects under its name owns the same hashes again. Consumers that come and go change the ring when an owner is
 * next asked for, all at once: thousands may come or go together.
 */
final class HashRing implements KeyRanges {
    static final int POINTS_PER_CONSUMER = 100;

    /** No key has the hash 0. */
    private static final int FIRST_HASH = 1;

    private static final Member[] NOBODY = {};

    /** Of equal points the first owns the hash, whichever consumer joined first. */
    private static final Comparator<Member> ORDER = Comparator.<Member, String>comparing(
                    member -> member.consumer.options.name())
            .thenComparingInt(member -> member.twin);

    private final IdentityHashMap<Consumer, Member> members = new IdentityHashMap<>();
    /** Consumers of the same name are distinguished by the smallest free number. */
    private final Map<String, BitSet> twins = new HashMap<>();

    private int[] points = {};
    private Member[] owners = NOBODY;
    /** Those that have no points yet. */
    private List<Member> newcomers = new ArrayList<>();
    /** How many consumers are gone, and still on the ring or among the newcomers. */
    private int goneCount;

    /** A consumer, as long as it is there. */
    private static final class Member {
        final Consumer consumer;
        final int twin;
        boolean isGone;

        Member(Consumer consumer, int twin) {
            this.consumer = consumer;
            this.twin = twin;
        }
    }

    private record Point(int hash, Member owner) {}

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
        BitSet taken = twins.computeIfAbsent(consumer.options.name(), name -> new BitSet());
        Member member = new Member(consumer, taken.nextClearBit(0));
        taken.set(member.twin);
        members.put(consumer, member);
        newcomers.add(member);
    }

    @Override
    public void remove(Consumer consumer) {
        Member member = members.remove(consumer);
        if (member == null) {
            return;
        }
        BitSet taken = twins.get(consumer.options.name());
        if (taken != null) {
            taken.clear(member.twin);
            if (taken.isEmpty()) {
                twins.remove(consumer.options.name());
            }
        }
        member.isGone = true;
        goneCount++;
        if (goneCount > members.size()) {
            update(); // where nothing is published nobody asks for an owner
        }
    }

    /** How many consumers it remembers, also of those that are gone; for checks. */
    int remembered() {
        return members.size() + goneCount;
    }

    /** Takes the points of consumers that are gone off the ring, and puts those of newcomers on it. */
    private void update() {
        if (goneCount == 0 && newcomers.isEmpty()) {
            return;
        }
        List<Point> added = new ArrayList<>();
        for (Member member : newcomers) {
            for (int hash : member.isGone ? new int[0] : pointsOf(member.consumer.options.name(), member.twin)) {
                added.add(new Point(hash, member));
            }
        }
        added.sort(Comparator.comparingInt(Point::hash).thenComparing(Point::owner, ORDER));
        newcomers = new ArrayList<>();
        goneCount = 0;
        merge(added);
    }

    private void merge(List<Point> added) {
        int most = points.length + added.size();
        int[] merged = new int[most];
        Member[] mergedOwners = new Member[most];
        int count = 0;
        int next = 0;
        for (int old = 0; old < points.length; old++) {
            if (!owners[old].isGone) {
                while (next < added.size() && isBefore(added.get(next), points[old], owners[old])) {
                    merged[count] = added.get(next).hash;
                    mergedOwners[count++] = added.get(next++).owner;
                }
                merged[count] = points[old];
                mergedOwners[count++] = owners[old];
            }
        }
        for (; next < added.size(); next++) {
            merged[count] = added.get(next).hash;
            mergedOwners[count++] = added.get(next).owner;
        }
        points = count == most ? merged : Arrays.copyOf(merged, count);
        owners = count == most ? mergedOwners : Arrays.copyOf(mergedOwners, count);
    }

    private static boolean isBefore(Point point, int hash, Member owner) {
        return point.hash == hash ? ORDER.compare(point.owner, owner) < 0 : point.hash < hash;
    }

    @Override
    public @Nullable Consumer ownerOf(int keyHash) {
        update();
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
        return owners[low == points.length ? 0 : low].consumer;
    }

    @Override
    public Map<Consumer, List<HashRange>> byConsumer() {
        update();
        Map<Consumer, List<HashRange>> all = new HashMap<>();
        int first = FIRST_HASH;
        for (int i = 0; i < points.length; i++) {
            if (points[i] >= first) {
                addTo(all.computeIfAbsent(owners[i].consumer, unused -> new ArrayList<>()), first, points[i]);
                first = points[i] + 1;
            }
        }
        if (points.length > 0 && first < HASHES) {
            addTo(all.computeIfAbsent(owners[0].consumer, unused -> new ArrayList<>()), first, HASHES - 1);
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
