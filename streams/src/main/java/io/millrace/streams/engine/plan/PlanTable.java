package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.SameOperators;
import io.millrace.streams.engine.segment.TerminalStage;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Plans of {@linkplain ConstantLine constant lines}, so that a graph that a program builds anew at the same place for each call is compiled once or twice. They are held
 * weakly: between two collections of garbage nobody needs to hold them, and after one the next graph is compiled once more, so that nothing lives longer for this table. There is one for the whole
 * process, as plans know no runtime.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code seen}, {@code refused}: hashes, read and written without care, as what is missed only delays; {@code lines}: the latest that
 * was set.<br>
 * <b>Proved by</b>: PlanTableTest.
 */
final class PlanTable {
    static final PlanTable OF_PROCESS = new PlanTable();

    private static final int PLACES = 512;

    private final int[] seen = new int[PLACES];
    /** Those that are not constant. */
    private final int[] refused = new int[PLACES];

    private final AtomicReferenceArray<@Nullable WeakReference<ConstantLine>> lines =
            new AtomicReferenceArray<>(PLACES);

    private PlanTable() {}

    /** The plan of a graph that ends in steps and what they run into: that of one that is the same, or a new one. */
    Plan planOf(Blueprint.Chain root) {
        if (!(root.first() instanceof Blueprint.Appended steps)
                || !(root.second() instanceof Blueprint.Stage end)
                || !(end.stage() instanceof TerminalStage<?, ?> terminal)) {
            return PlanCompiler.compileNew(root);
        }
        int hash = 31 * (31 * steps.hash() + terminal.kindHash()) + SameOperators.hashOf(root.combine());
        int place = (hash ^ hash >>> 16) & (PLACES - 1);
        WeakReference<ConstantLine> kept = lines.get(place);
        ConstantLine line = kept == null ? null : kept.get();
        boolean isThere = line != null && line.hash() == hash;
        Plan found = line != null && isThere ? line.planOf(root, terminal) : null;
        if (found != null) {
            return found;
        }
        Plan plan = PlanCompiler.compileNew(root);
        if (!isThere && refused[place] != hash) {
            note(place, hash, root, terminal, plan);
        }
        return plan;
    }

    /** The second time in a row, it is kept. */
    private void note(int place, int hash, Blueprint.Chain root, TerminalStage<?, ?> terminal, Plan plan) {
        if (seen[place] != hash) {
            seen[place] = hash;
            return;
        }
        ConstantLine line = ConstantLine.of(root, terminal, hash, plan);
        if (line == null) {
            refused[place] = hash;
        } else {
            lines.set(place, new WeakReference<>(line));
        }
    }
}
