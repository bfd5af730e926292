package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Emits the same element for ever. */
public final class RepeatSource<O> extends SourceStage<O> {
    private final O element;

    public RepeatSource(O element) {
        super("repeat");
        this.element = Objects.requireNonNull(element, "element");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPull() {
                push(out, element);
            }
        };
    }
}
