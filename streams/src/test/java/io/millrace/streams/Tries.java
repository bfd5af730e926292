package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Tries what a pause of a thread may spoil, though not every time. */
public final class Tries {
    private static final int TRIES = 10;

    private Tries() {}

    /** Returns once a try counts so many at most; fails with all counts when none does, as where there is a defect. */
    public static void onceAtMost(long most, Callable<? extends Number> count) throws Exception {
        List<Long> counts = new ArrayList<>();
        do {
            counts.add(count.call().longValue());
        } while (counts.get(counts.size() - 1) > most && counts.size() < TRIES);
        assertThat(counts).as("counted in each try").anyMatch(each -> each <= most);
    }
}
