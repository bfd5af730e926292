package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers downstream out of an iterator made of the last element, until the next element has come. */
public final class ExpandStage<I, O> extends LinearStage<I, O> {
    private final ThrowingFunction<? super I, ? extends Iterator<? extends O>> function;
    private final @Nullable I initial;

    public ExpandStage(
            String name, ThrowingFunction<? super I, ? extends Iterator<? extends O>> function, @Nullable I initial) {
        super(name);
        this.function = Objects.requireNonNull(function, "function");
        this.initial = initial;
    }

    /** Emits the element itself before what its iterator gives. */
    public static <T> ExpandStage<T, T> extrapolating(
            ThrowingFunction<? super T, ? extends Iterator<? extends T>> function, @Nullable T initial) {
        Objects.requireNonNull(function, "function");
        return new ExpandStage<>(
                "extrapolate",
                element -> new FirstThen<T>(element, Step.required(function.apply(element), "extrapolate")),
                initial);
    }

    /** An element and then what an iterator gives. */
    private static final class FirstThen<T> implements Iterator<T> {
        private final Iterator<? extends T> rest;
        private @Nullable T first;

        FirstThen(T first, Iterator<? extends T> rest) {
            this.first = first;
            this.rest = rest;
        }

        @Override
        public boolean hasNext() {
            return first != null || rest.hasNext();
        }

        @Override
        public T next() {
            T element = first;
            first = null;
            return element == null ? rest.next() : element;
        }
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new ExpandLogic(inherited);
    }

    private final class ExpandLogic extends Logic<I, O> {
        private final Attributes inherited;
        private Iterator<? extends O> current = Collections.emptyIterator();
        /** Whether the current iterator owes its first element. */
        private boolean isFresh;

        ExpandLogic(Attributes inherited) {
            super(ExpandStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            if (initial == null) {
                pull(in);
                return;
            }
            try {
                begin(initial);
            } catch (Throwable failure) {
                failStage(failure);
            }
        }

        @Override
        public void onPush() throws Exception {
            begin(grab(in));
        }

        private void begin(I element) throws Exception {
            try {
                current = Step.required(function.apply(element), name());
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                tryPull(in);
                return;
            }
            isFresh = current.hasNext();
            if (!isFresh) {
                tryPull(in);
            } else if (isAvailable(out)) {
                emitNext();
            }
        }

        @Override
        public void onPull() {
            if (current.hasNext()) {
                emitNext();
            }
        }

        private void emitNext() {
            push(out, Step.required(current.next(), name()));
            if (isClosed(in)) {
                completeStage();
            } else if (isFresh) {
                isFresh = false;
                tryPull(in);
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (!isFresh) {
                completeStage();
            }
        }
    }
}
