package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ranges that consumers claim for themselves: none may overlap, and entries of unclaimed hashes wait. */
final class StickyRanges implements KeyRanges {
    private record Claim(HashRange range, Consumer by) {}

    /** By the first hash of the range. */
    private final TreeMap<Integer, Claim> claims = new TreeMap<>();

    @Override
    public void admit(ConsumerOptions options) {
        List<HashRange> ranges = rangesOf(options);
        for (int i = 0; i < ranges.size(); i++) {
            HashRange range = ranges.get(i);
            if (range.first() < 0 || range.last() >= HASHES || range.first() > range.last()) {
                throw refusal(options, range, "is not within 0.." + (HASHES - 1));
            }
            for (HashRange earlier : ranges.subList(0, i)) {
                if (overlap(earlier, range)) {
                    throw refusal(options, range, "overlaps with its own " + text(earlier));
                }
            }
            for (Claim claim : claims.values()) {
                if (overlap(claim.range(), range)) {
                    throw refusal(
                            options,
                            range,
                            "overlaps with " + text(claim.range()) + " of consumer "
                                    + claim.by().options.name());
                }
            }
        }
    }

    @Override
    public void add(Consumer consumer) {
        for (HashRange range : rangesOf(consumer.options)) {
            claims.put(range.first(), new Claim(range, consumer));
        }
    }

    @Override
    public void remove(Consumer consumer) {
        claims.values().removeIf(claim -> claim.by() == consumer);
    }

    @Override
    public @Nullable Consumer ownerOf(int keyHash) {
        Map.Entry<Integer, Claim> before = claims.floorEntry(keyHash);
        return before == null || before.getValue().range().last() < keyHash
                ? null
                : before.getValue().by();
    }

    private static List<HashRange> rangesOf(ConsumerOptions options) {
        KeySharedOptions keyShared = options.keyShared();
        return keyShared == null ? List.of() : keyShared.stickyRanges();
    }

    private static boolean overlap(HashRange one, HashRange other) {
        return one.first() <= other.last() && other.first() <= one.last();
    }

    private static BrokerException refusal(ConsumerOptions options, HashRange range, String why) {
        return new BrokerException(
                ErrorKind.CONSUMER_ASSIGN, "hash range " + text(range) + " of consumer " + options.name() + " " + why);
    }

    private static String text(HashRange range) {
        return range.first() + ".." + range.last();
    }
}
