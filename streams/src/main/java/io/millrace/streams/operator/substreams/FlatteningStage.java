package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import org.jspecify.annotations.Nullable;

/** An operator that emits the elements of sources which a function makes of elements. */
abstract class FlatteningStage<I, O> extends LinearStage<I, O> {
    private static final int DEFAULT_WINDOW = 16;

    private final ThrowingFunction<? super I, InnerSource<O>> function;
    private final boolean isSupervised;

    FlatteningStage(String name, ThrowingFunction<? super I, InnerSource<O>> function) {
        this(name, true, function);
    }

    /** @param isSupervised whether supervision decides on what the function throws; if not, the stage fails */
    FlatteningStage(String name, boolean isSupervised, ThrowingFunction<? super I, InnerSource<O>> function) {
        super(name);
        this.isSupervised = isSupervised;
        this.function = function;
    }

    /** The logic of such an operator: it makes the sources, and hears of what they do. */
    abstract static class Flattening<I, O> extends Logic<I, O> implements ActiveSubstream.Listener<O> {
        private final FlatteningStage<I, O> stage;
        private final Attributes inherited;
        private final int window;
        private InnerSource.@Nullable Place place;

        Flattening(FlatteningStage<I, O> stage, Attributes inherited) {
            super(stage);
            this.stage = stage;
            this.inherited = inherited;
            window = inherited
                    .find(Attributes.InputBuffer.class)
                    .map(Attributes.InputBuffer::elements)
                    .orElse(DEFAULT_WINDOW);
        }

        /** Begins the source that the function makes of the element; null if supervision drops the element. */
        final @Nullable ActiveSubstream<O> begin(I element) throws Exception {
            InnerSource<O> source;
            try {
                source = stage.function.apply(element);
            } catch (Exception failure) {
                if (stage.isSupervised && Verdict.dropsElement(inherited, failure)) {
                    return null;
                }
                throw failure;
            }
            if (place == null) {
                place = new InnerSource.Place(stage.name(), window, inherited);
            }
            return source.open(this, place, this);
        }

        /** Lets go of a source that is over; whether it ended well. If not, this stage has failed, too. */
        final boolean endedWell(ActiveSubstream<O> inner) {
            inner.isClosed = true;
            inner.cancel(new DownstreamFinished());
            Throwable failure = inner.failure();
            if (failure != null) {
                StageContext.of(this).passFailure(failure);
            }
            return failure == null;
        }
    }
}
