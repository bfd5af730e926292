package io.millrace.streams.operator;

import java.util.Objects;
import java.util.stream.Collector;

/** Collects the elements, as a stream of the standard library does. */
public final class CollectSink<I, A, R> extends SinkStage<I, R> {
    private final Collector<? super I, A, R> collector;

    public CollectSink(Collector<? super I, A, R> collector) {
        super("collect");
        this.collector = Objects.requireNonNull(collector, "collector");
    }

    @Override
    Logic<I, R> createLogic() {
        return new Logic<>(this) {
            private final A container = collector.supplier().get();

            @Override
            void accept(I element) {
                collector.accumulator().accept(container, element);
            }

            @Override
            R resultAtEnd() {
                return collector.finisher().apply(container);
            }
        };
    }
}
