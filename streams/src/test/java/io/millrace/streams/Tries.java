package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Tries what a pause of a thread may spoil now and then, but not mostly. */
public final class Tries {
    private static final int LEAD = 4;
    private static final int TRIES = 24;

    private Tries() {}

    /**
     * Returns once tries that count so many at most are four ahead of the others: after four, unless one is spoilt. Fails with all counts once the
     * others are four ahead, or when neither is after twenty-four, as where a defect shows every other time.
     */
    public static void mostlyAtMost(long most, Callable<? extends Number> count) throws Exception {
        List<Long> counts = new ArrayList<>();
        int ahead = 0;
        while (Math.abs(ahead) < LEAD && counts.size() < TRIES) {
            long counted = count.call().longValue();
            counts.add(counted);
            ahead += counted <= most ? 1 : -1;
        }
        assertThat(ahead)
                .as("how far tries of at most %d are ahead of the others of %s", most, counts)
                .isEqualTo(LEAD);
    }
}
