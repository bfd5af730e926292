package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;

/** Emits one element between any two, and perhaps one at the beginning and one at the end. */
public final class IntersperseStage<T> extends LinearStage<T, T> {
    private final Optional<T> start;
    private final T between;
    private final Optional<T> end;

    public IntersperseStage(Optional<T> start, T between, Optional<T> end) {
        super("intersperse");
        this.start = Objects.requireNonNull(start, "start");
        this.between = Objects.requireNonNull(between, "between");
        this.end = Objects.requireNonNull(end, "end");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new IntersperseLogic();
    }

    private final class IntersperseLogic extends Logic<T, T> {
        private boolean isFirst = true;

        IntersperseLogic() {
            super(IntersperseStage.this);
        }

        @Override
        public void preStart() {
            start.ifPresent(element -> emit(out, element));
        }

        @Override
        public void onPush() {
            T element = grab(in);
            if (isFirst) {
                isFirst = false;
                push(out, element);
            } else {
                emit(out, between);
                emit(out, element);
            }
        }

        @Override
        public void onUpstreamFinish() {
            end.ifPresent(element -> emit(out, element));
            completeStage();
        }
    }
}
