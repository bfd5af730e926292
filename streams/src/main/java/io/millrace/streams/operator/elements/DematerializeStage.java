package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Does what the signals say that a function makes of the elements: emits, completes or fails. */
public final class DematerializeStage<I, O> extends LinearStage<I, O> {
    private final ThrowingFunction<? super I, Signal<O>> function;

    public DematerializeStage(ThrowingFunction<? super I, Signal<O>> function) {
        super("dematerialize");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() throws Exception {
                Signal<O> signal;
                try {
                    signal = Step.required(function.apply(grab(in)), "dematerialize");
                } catch (Exception failure) {
                    if (Verdict.dropsElement(inherited, failure)) {
                        tryPull(in);
                        return;
                    }
                    throw failure;
                }
                obey(signal);
            }

            private void obey(Signal<O> signal) {
                if (signal instanceof Signal.Next<O> next) {
                    push(out, NotNull.checked(next.element(), name(), "the signal holds null"));
                } else if (signal instanceof Signal.Failed<O> failed) {
                    StageContext.of(this).passFailure(failed.failure());
                } else {
                    completeStage();
                }
            }
        };
    }
}
