package io.millrace.streams.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.fuzz.Trial.Mode;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random graphs give in the library what a plain interpreter of lists makes of them, whatever tier they run in. */
class DifferentialFuzzTest {
    private static final Duration LONG =
            Duration.ofSeconds(Long.getLong("millrace.fuzz.seconds", Boolean.getBoolean("millrace.deep") ? 1800 : 30));
    private static final Duration SHRINKING = Duration.ofSeconds(20);
    private static final int HOT_BETWEEN_COLLECTIONS = 200;
    private static final int FEWEST = 5;
    private static final List<Mode> OTHER_MODES =
            List.of(Mode.SAMPLED, Mode.HOT, Mode.HOT_FROM_OBJECTS, Mode.HOT_BY_KINDS, Mode.SHUFFLED, Mode.HELPED);

    private final Map<String, Integer> drawn = new TreeMap<>();
    private int hot;

    @Test
    @Behaviour("INT-12")
    void randomGraphsDoWhatAnInterpreterOfListsDoes() throws Exception {
        Long only = Long.getLong("millrace.fuzz.seed");
        long end = System.nanoTime() + LONG.toNanos();
        SplittableRandom seeds = new SplittableRandom();
        int count = 0;
        try (Trial trial = new Trial()) {
            do {
                check(trial, only == null ? seeds.nextLong() : only);
                count++;
            } while (only == null && goesOn(System.nanoTime() - end));
        }
        System.out.println(count + " graphs in " + LONG + ", with these operators: " + drawn);
        assertThat(only == null ? drawn.values() : List.<Integer>of()).allMatch(times -> times >= FEWEST);
    }

    /** On a slow machine until there are some of each kind. */
    private boolean goesOn(long overtimeNanos) {
        boolean isRare = drawn.values().stream().anyMatch(times -> times < FEWEST);
        return overtimeNanos < (isRare ? 3 * LONG.toNanos() : 0);
    }

    private void check(Trial trial, long seed) throws InterruptedException {
        Program program = Program.drawn(seed);
        program.line().allSteps().forEach(step -> drawn.merge(step.kind().operator(), 1, Integer::sum));
        Mode second = OTHER_MODES.get(Math.floorMod(seed, OTHER_MODES.size()));
        for (Mode mode : new Mode[] {Mode.COLD, second}) {
            makeRoom(mode);
            String problem = trial.problem(program, mode, seed);
            if (problem != null) {
                throw new AssertionError(told(trial, program, mode, seed, problem));
            }
        }
    }

    /** Classes of segments count as live until they are collected. */
    private void makeRoom(Mode mode) {
        if (mode.isHot() && ++hot % HOT_BETWEEN_COLLECTIONS == 0) {
            System.gc();
        }
    }

    private static String told(Trial trial, Program program, Mode mode, long seed, String problem)
            throws InterruptedException {
        Program least = program;
        String said = problem;
        long end = System.nanoTime() + SHRINKING.toNanos();
        for (Found next = smaller(trial, least, mode, seed, end); next != null; ) {
            least = next.program();
            said = next.problem();
            next = smaller(trial, least, mode, seed, end);
        }
        return "seed " + seed + " (repeat it with -DextraJvmArgs=-Dmillrace.fuzz.seed=" + seed + "), " + mode + ": "
                + said + "\n" + least.text() + "\nwhich is a part of\n" + program.text() + "\nwhere " + problem;
    }

    private record Found(Program program, String problem) {}

    private static @Nullable Found smaller(Trial trial, Program program, Mode mode, long seed, long end)
            throws InterruptedException {
        for (Program candidate : program.smaller()) {
            for (int i = 0; i < 3 && System.nanoTime() - end < 0; i++) {
                String problem = trial.problem(candidate, mode, seed + i);
                if (problem != null) {
                    return new Found(candidate, problem);
                }
            }
        }
        return null;
    }
}
