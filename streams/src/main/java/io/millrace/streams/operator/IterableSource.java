package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;

/** Emits what an iterable holds; each run iterates anew. */
public final class IterableSource<O> extends SourceStage<O> {
    private final Iterable<? extends O> elements;

    public IterableSource(Iterable<? extends O> elements) {
        super("iterable");
        this.elements = Objects.requireNonNull(elements, "elements");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private Iterator<? extends O> rest = Collections.emptyIterator();

            @Override
            public void preStart() {
                rest = elements.iterator();
                if (!rest.hasNext()) {
                    completeStage();
                }
            }

            @Override
            public void onPull() {
                push(out, rest.next());
                if (!rest.hasNext()) {
                    completeStage();
                }
            }
        };
    }
}
