package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Emits what a function makes of a state, which it replaces each time, until it makes nothing. */
public final class UnfoldSource<S extends @Nullable Object, O> extends SourceStage<O> {
    private final S initial;
    private final ThrowingFunction<? super S, Optional<Pair<S, O>>> function;

    public UnfoldSource(S initial, ThrowingFunction<? super S, Optional<Pair<S, O>>> function) {
        super("unfold");
        this.initial = initial;
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private S state = initial;

            @Override
            public void onPull() throws Exception {
                Optional<Pair<S, O>> next = Step.required(function.apply(state), name());
                if (next.isPresent()) {
                    state = next.get().first();
                    push(out, NotNull.checked(next.get().second(), name(), "the pair holds null"));
                } else {
                    completeStage();
                }
            }
        };
    }
}
