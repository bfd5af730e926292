package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.KeySharedOptions.HashRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ranges that consumers claim for themselves: none may overlap, and entries of unclaimed hashes wait. */
final class StickyRanges implements KeyRanges {
    private record Claim(HashRange range, Consumer by) {}

    /** By the first hash of the range. */
    private final TreeMap<Integer, Claim> claims = new TreeMap<>();

    /** Throws CONSUMER_ASSIGN if the ranges of a consumer are no hashes, or overlap. */
    static void requirePossible(ConsumerOptions options) {
        BrokerException flaw = flaw(options);
        if (flaw != null) {
            throw flaw;
        }
    }

    /** Whether a consumer could have its ranges if there were no others. */
    static boolean isPossible(ConsumerOptions options) {
        return flaw(options) == null;
    }

    private static @Nullable BrokerException flaw(ConsumerOptions options) {
        TreeMap<Integer, HashRange> own = new TreeMap<>();
        for (HashRange range : rangesOf(options)) {
            if (range.first() < 0 || range.last() >= HASHES || range.first() > range.last()) {
                return refusal(options, range, "is not within 0.." + (HASHES - 1));
            }
            Map.Entry<Integer, HashRange> before = own.floorEntry(range.last());
            if (before != null && before.getValue().last() >= range.first()) {
                return refusal(options, range, "overlaps with its own " + text(before.getValue()));
            }
            own.put(range.first(), range);
        }
        return null;
    }

    @Override
    public void admit(ConsumerOptions options) {
        for (HashRange range : rangesOf(options)) {
            List<Claim> others = claimsIn(range);
            if (!others.isEmpty()) {
                Claim claim = others.get(0);
                throw refusal(
                        options,
                        range,
                        "overlaps with " + text(claim.range()) + " of consumer "
                                + claim.by().options.name());
            }
        }
    }

    @Override
    public @Nullable Consumer rival(ConsumerOptions options) {
        Consumer rival = null;
        for (HashRange range : rangesOf(options)) {
            for (Claim claim : claimsIn(range)) {
                if (rival != null && claim.by() != rival) {
                    return null;
                }
                rival = claim.by();
            }
        }
        return rival;
    }

    /** What others have of the range, the last first. */
    private List<Claim> claimsIn(HashRange range) {
        return claims.headMap(range.last(), true).descendingMap().values().stream()
                .takeWhile(claim -> claim.range().last() >= range.first())
                .toList();
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
    public Map<Consumer, List<HashRange>> byConsumer() {
        Map<Consumer, List<HashRange>> all = new HashMap<>();
        for (Claim claim : claims.values()) {
            all.computeIfAbsent(claim.by(), unused -> new ArrayList<>()).add(claim.range());
        }
        return all;
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

    private static BrokerException refusal(ConsumerOptions options, HashRange range, String why) {
        return new BrokerException(
                ErrorKind.CONSUMER_ASSIGN, "hash range " + text(range) + " of consumer " + options.name() + " " + why);
    }

    private static String text(HashRange range) {
        return range.first() + ".." + range.last();
    }
}
