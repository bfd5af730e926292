package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replaces each element by what a future makes of it and a state, which the future replaces too; one at a time. */
public final class StatefulMapAsyncStage<S, I, O> extends LinearStage<I, O> {
    private final Supplier<? extends S> initial;
    private final ThrowingBiFunction<? super S, ? super I, ? extends CompletionStage<Pair<S, O>>> function;
    private final ThrowingFunction<? super S, Optional<O>> atEnd;

    public StatefulMapAsyncStage(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super I, ? extends CompletionStage<Pair<S, O>>> function,
            ThrowingFunction<? super S, Optional<O>> atEnd) {
        super("statefulMapAsync");
        this.initial = Objects.requireNonNull(initial, "initial");
        this.function = Objects.requireNonNull(function, "function");
        this.atEnd = Objects.requireNonNull(atEnd, "atEnd");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FutureByFuture<I, Pair<S, O>, O>(this, inherited) {
            private S state = initial.get();

            @Override
            CompletionStage<? extends Pair<S, O>> call(I element) throws Exception {
                return function.apply(state, element);
            }

            @Override
            @Nullable
            Throwable flawOf(Pair<S, O> made) {
                return made.second() == null ? new NullElementException(name(), "the pair holds null") : null;
            }

            @Override
            void onValue(Pair<S, O> made) {
                state = made.first();
                push(out, made.second());
            }

            @Override
            void onEnd() throws Exception {
                Step.required(atEnd.apply(state), name()).ifPresent(last -> emit(out, last));
                completeStage();
            }

            @Override
            void restart() {
                state = initial.get();
            }
        };
    }
}
