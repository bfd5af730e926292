package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.Segment;
import io.millrace.streams.engine.segment.SegmentStage;
import io.millrace.streams.engine.segment.SynchronousStage;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.Attributes;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a graph that is nothing but an origin, some steps and a terminal: one segment, found without a walk. Most graphs that are built for one short run are
 * of that kind.
 */
final class StraightLine {
    private static final int MAX_OPERATORS = Segment.MAX_STEPS + 1;
    private static final Attributes[] NO_ATTRIBUTES = new Attributes[MAX_OPERATORS];
    private static final ValueProgram VALUE_OF_TERMINAL = ValueProgram.ofTwo(Combine.RIGHT);

    static {
        Arrays.fill(NO_ATTRIBUTES, Attributes.NONE);
    }

    private StraightLine() {}

    /** The plan, or null if the graph is something else. */
    static @Nullable Plan compile(Blueprint root) {
        if (!(root instanceof Blueprint.Chain chain)
                || !(chain.second() instanceof Blueprint.Stage end)
                || !(end.stage() instanceof TerminalStage<?, ?> terminal)) {
            return null;
        }
        int count = 2;
        Blueprint part = chain.first();
        while (part instanceof Blueprint.Appended appended) {
            part = appended.part();
            count++;
        }
        if (count > MAX_OPERATORS
                || !(part instanceof Blueprint.Stage begin)
                || !(begin.stage() instanceof OriginStage<?> origin)) {
            return null;
        }
        SynchronousStage<?, ?>[] operators = new SynchronousStage<?, ?>[count];
        operators[0] = origin;
        operators[count - 1] = terminal;
        part = chain.first();
        for (int i = count - 2; part instanceof Blueprint.Appended appended; i--) {
            operators[i] = appended.step();
            part = appended.part();
        }
        SegmentStage segment = new SegmentStage(new Segment(operators, NO_ATTRIBUTES, false, false));
        return new Plan(segment, program(chain.combine()));
    }

    private static ValueProgram program(BiFunction<Object, Object, Object> combine) {
        return combine == Combine.RIGHT ? VALUE_OF_TERMINAL : ValueProgram.ofTwo(combine);
    }
}
