package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/** Collects the elements, as a stream of the standard library does. */
public final class CollectSink<I, A, R> extends TerminalStage<I, R> {
    public CollectSink(Collector<? super I, A, R> collector) {
        super("collect", new Body<I, A, R>(collector, collector.accumulator()));
    }

    private record Body<I, A, R>(Collector<? super I, A, R> collector, BiConsumer<A, ? super I> accumulator)
            implements Terminal<I>, FunctionStep<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return Objects.requireNonNull(collector.supplier().get(), "the collector's container");
        }

        @Override
        public BiConsumer<A, ? super I> function() {
            return accumulator;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) {
            ((BiConsumer<A, ? super I>) exact).accept((A) Step.state(states, at), element);
            return NOTHING;
        }

        @Override
        public boolean takesBatches() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void applyAll(ElementBatch<?> elements, @Nullable Object[] states) {
            A container = (A) Step.state(states, 0);
            while (elements.hasNext()) {
                accumulator.accept(container, (I) elements.next());
            }
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object result(@Nullable Object state) {
            A container = (A) Objects.requireNonNull(state, "state");
            return Step.required(collector.finisher().apply(container), "collect");
        }
    }
}
