package io.millrace.benchmarks.report;

import java.util.Map;
import java.util.Objects;

/** One comparison: a workload, its unit, which way the unit points, our figure and each peer's. */
public record Figure(String workload, String unit, Better better, double ours, Map<String, Double> peers) {
    /** Which way the unit points. */
    public enum Better {
        LOWER,
        HIGHER
    }

    public Figure {
        if (workload.isEmpty() || workload.contains(" ")) {
            throw new IllegalArgumentException("A workload is one word, this is not: '" + workload + "'");
        }
        peers = Map.copyOf(peers);
    }

    /** How many times better ours is than this peer, above 1 when it is. */
    public double ratio(String peer) {
        double theirs = Objects.requireNonNull(peers.get(peer), peer);
        return better == Better.HIGHER ? ours / theirs : theirs / ours;
    }
}
