package io.millrace.benchmarks.everyday;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What the programs of all libraries have in common. */
final class Programs {
    static final int MANY = 100_000;
    static final int SOME = 10_000;
    static final int FEW = 1_000;
    static final int PAIRS = 10;
    static final int KEYS = 16;
    static final int CONCURRENT = 8;

    /** Those that are run before the measured one. */
    static final List<String> NAMES = List.of(
            "map-100k",
            "mapConcat-100k",
            "grouped-100k",
            "mixed-100k",
            "pairs-100k",
            "list-10",
            "maps-100",
            "fold-1000",
            "concat-1000",
            "flatMapConcat-1000",
            "groupBy-10k");

    private static final ExecutorService ELSEWHERE = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "elsewhere");
        thread.setDaemon(true);
        return thread;
    });

    private Programs() {}

    /** The number behind the last dash of a program's name. */
    static int size(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    /** A result that another thread will have. */
    static CompletableFuture<Integer> later(int value) {
        return CompletableFuture.supplyAsync(() -> value, ELSEWHERE);
    }
}
