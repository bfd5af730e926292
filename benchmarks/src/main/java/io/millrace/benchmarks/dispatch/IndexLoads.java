package io.millrace.benchmarks.dispatch;

import org.openjdk.jmh.infra.BenchmarkParams;

/** Which index the benchmark method of that name measures. */
final class IndexLoads {
    /** What stands in a state before it is set up. */
    static final IndexLoad NONE = new IndexLoad(new HashIndex(), 1, 1, AckOrder.IN_ORDER);

    private IndexLoads() {}

    static String library(BenchmarkParams running) {
        String method = running.getBenchmark();
        return method.substring(method.lastIndexOf('.') + 1);
    }

    static PendingIndex index(BenchmarkParams running) {
        return index(library(running), 1);
    }

    static PendingIndex index(String library, int consumers) {
        return switch (library) {
            case "millrace" -> new MillraceIndex(consumers);
            case "pulsar4" -> new PulsarIndex();
            case "pulsar5" -> NewerPulsar.index();
            case "trees" -> new TreesIndex();
            case "openHash" -> new HashIndex();
            default -> throw new IllegalArgumentException("no index is called " + library);
        };
    }
}
