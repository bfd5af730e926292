package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.OriginKind;
import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.SameOperators;
import io.millrace.streams.engine.segment.SynchronousStage;
import io.millrace.streams.engine.segment.TerminalStage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A graph of an origin, steps and a terminal without attributes, in which all but the origin is constant: whatever graph is built of the same operators does the same, and can have its
 * plan, with its own origin. Immutable.
 */
final class ConstantLine {
    private final int hash;
    private final Plan plan;
    private final int stageOfOrigin;
    private final BiFunction<?, ?, ?> combine;
    private final OriginKind origin;
    /** The terminal, then the steps from the last to the first, the order in which a graph is read. */
    private final SameOperators operators;

    private ConstantLine(
            int hash, Plan plan, BiFunction<?, ?, ?> combine, OriginStage<?> origin, SameOperators operators) {
        this.hash = hash;
        this.combine = combine;
        this.plan = plan;
        this.origin = new OriginKind(origin);
        this.operators = operators;
        stageOfOrigin = plan.stageOfOrigin();
    }

    /** That of a graph from an origin to a terminal, or null if something in it is not constant. */
    static @Nullable ConstantLine of(Blueprint.Chain root, TerminalStage<?, ?> end, int hash, Plan plan) {
        List<SynchronousStage<?, ?>> parts = new ArrayList<>();
        parts.add(end);
        Blueprint part = root.first();
        while (part instanceof Blueprint.Appended appended) {
            parts.add(appended.step());
            part = appended.part();
        }
        SameOperators operators = SameOperators.of(parts);
        OriginStage<?> origin = originOf(part);
        return operators == null || origin == null || !SameOperators.isConstant(root.combine())
                ? null
                : new ConstantLine(hash, plan, root.combine(), origin, operators);
    }

    private static @Nullable OriginStage<?> originOf(Blueprint part) {
        return part instanceof Blueprint.Stage begin && begin.stage() instanceof OriginStage<?> origin ? origin : null;
    }

    int hash() {
        return hash;
    }

    /** The plan of another graph, which runs into this terminal, if it is made of the same, or null. */
    @Nullable
    Plan planOf(Blueprint.Chain root, TerminalStage<?, ?> end) {
        if (!SameOperators.areSame(combine, root.combine()) || !operators.isSame(0, end)) {
            return null;
        }
        int at = 1;
        Blueprint part = root.first();
        while (part instanceof Blueprint.Appended appended) {
            if (at == operators.count() || !operators.isSame(at, appended.step())) {
                return null;
            }
            part = appended.part();
            at++;
        }
        OriginStage<?> head = originOf(part);
        if (at != operators.count() || head == null || !origin.isOf(head)) {
            return null;
        }
        return origin.isSame(head) ? plan : plan.withOrigin(stageOfOrigin, head);
    }
}
