package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Emits one element, then completes. */
public final class SingleSource<O> extends SourceStage<O> {
    private final O element;

    public SingleSource(O element) {
        super("single");
        this.element = Objects.requireNonNull(element, "element");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPull() {
                push(out, element);
                completeStage();
            }
        };
    }
}
