package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;

/** Replaces each element by any number of elements. */
public final class MapConcatStage<I, O> extends LinearStage<I, O> {
    private final ThrowingFunction<? super I, ? extends Iterable<? extends O>> function;

    public MapConcatStage(ThrowingFunction<? super I, ? extends Iterable<? extends O>> function) {
        super("mapConcat");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private Iterator<? extends O> rest = Collections.emptyIterator();

            @Override
            public void onPush() throws Exception {
                rest = function.apply(grab(in)).iterator();
                onPull();
            }

            @Override
            public void onPull() {
                if (rest.hasNext()) {
                    push(out, rest.next());
                    if (isClosed(in) && !rest.hasNext()) {
                        completeStage();
                    }
                } else if (isClosed(in)) {
                    completeStage();
                } else {
                    pull(in);
                }
            }

            @Override
            public void onUpstreamFinish() {
                if (!rest.hasNext()) {
                    completeStage();
                }
            }
        };
    }
}
