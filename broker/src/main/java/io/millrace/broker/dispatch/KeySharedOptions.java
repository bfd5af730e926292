package io.millrace.broker.dispatch;

import java.util.List;

/**
 * What a Key_Shared consumer asks for: ranges of its own, or a share of the ring.
 *
 * @param sticky whether it claims ranges of its own; else it gets a share of the ring
 * @param stickyRanges the hash ranges it claims
 * @param allowOutOfOrder whether it accepts entries of a key out of order while consumers change
 */
public record KeySharedOptions(boolean sticky, List<HashRange> stickyRanges, boolean allowOutOfOrder) {
    /** The most ranges that one consumer can claim without an overlap: one for each key hash. */
    public static final int MAX_RANGES = KeyRanges.HASHES;

    public KeySharedOptions {
        stickyRanges = List.copyOf(stickyRanges);
        if (sticky == stickyRanges.isEmpty()) {
            throw new BrokerException(
                    ErrorKind.CONSUMER_ASSIGN,
                    sticky ? "a sticky consumer must claim a hash range" : "hash ranges are for sticky consumers only");
        }
    }

    /** A share of the ring. */
    public static KeySharedOptions autoSplit(boolean allowOutOfOrder) {
        return new KeySharedOptions(false, List.of(), allowOutOfOrder);
    }

    /** Ranges of its own. */
    public static KeySharedOptions sticky(List<HashRange> ranges, boolean allowOutOfOrder) {
        return new KeySharedOptions(true, ranges, allowOutOfOrder);
    }

    /** Whether consumers with these options can share a subscription with those with the others. */
    boolean goesWith(KeySharedOptions others) {
        return sticky == others.sticky && allowOutOfOrder == others.allowOutOfOrder;
    }

    /** Key hashes from first to last, both inclusive. */
    public record HashRange(int first, int last) {}
}
