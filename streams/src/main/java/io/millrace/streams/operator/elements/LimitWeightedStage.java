package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.Weighing;
import org.jspecify.annotations.Nullable;

/** Lets elements through up to a sum of costs and fails at more. */
public final class LimitWeightedStage<T> extends StepStage<T, T> {
    public LimitWeightedStage(long most, ThrowingToLongFunction<? super T> cost) {
        super("limitWeighted", new Body<>(new Weighing<>("limitWeighted", most, cost)));
    }

    private record Body<T>(Weighing<T> costs) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Sum();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            Sum sum = (Sum) Step.state(states, at);
            long cost = costs.weight(element);
            if (costs.isExceeded(sum.cost, cost)) {
                throw new StreamLimitReachedException(
                        "elements that cost more than " + costs.most() + " came, which is the limit");
            }
            sum.cost += cost;
            return element;
        }
    }

    private static final class Sum {
        private long cost;
    }
}
