package io.millrace.broker.dispatch;

import java.util.List;

/**
 * What a Key_Shared consumer asks for: ranges of its own, or a share of the ring.
 *
 * @param stickyRanges the hash ranges it claims; empty for auto-split
 * @param allowOutOfOrder whether it does without order per key while consumers change
 */
public record KeySharedOptions(List<HashRange> stickyRanges, boolean allowOutOfOrder) {
    public KeySharedOptions {
        stickyRanges = List.copyOf(stickyRanges);
    }

    /** Key hashes from first to last, both inclusive. */
    public record HashRange(int first, int last) {}
}
