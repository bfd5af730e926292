package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Emits the numbers from one to before another. */
public final class RangeSource extends SourceStage<Integer> {
    private final int from;
    private final int toExclusive;

    public RangeSource(int from, int toExclusive) {
        super("range");
        this.from = from;
        this.toExclusive = toExclusive;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private int next = from;

            @Override
            public void preStart() {
                if (next >= toExclusive) {
                    completeStage();
                }
            }

            @Override
            public void onPull() {
                push(out, next++);
                if (next >= toExclusive) {
                    completeStage();
                }
            }
        };
    }
}
