package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.plan.Absorbing;
import io.millrace.streams.engine.plan.JunctionTree;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.WaitingElements;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Takes one element from each input and emits, of those that wait, the one whose turn it is by an order. */
public final class OrderedMergeStage<T> extends FanInStage<T, T> implements Absorbing {
    private final boolean delaysErrors;
    private final MergeOrders<T> orders;

    private OrderedMergeStage(String name, int inputCount, boolean delaysErrors, MergeOrders<T> orders) {
        super(name, inputCount);
        this.delaysErrors = delaysErrors;
        this.orders = orders;
    }

    /** What waits at one input goes before all else. */
    public static <T> OrderedMergeStage<T> preferring(int preferred, int inputCount) {
        return new OrderedMergeStage<>("mergePreferred", inputCount, false, inputs -> new PreferredOrder<>(preferred));
    }

    /** Inputs that have something take turns as often as their weights say, which are at least 1. */
    public static <T> OrderedMergeStage<T> prioritized(int... weights) {
        for (int weight : weights) {
            if (weight < 1) {
                throw new IllegalArgumentException(
                        "a weight must be at least 1, not " + weight + " as in " + Arrays.toString(weights));
            }
        }
        int[] own = weights.clone();
        return new OrderedMergeStage<>("mergePrioritized", own.length, false, inputs -> new WeightedOrder<>(own));
    }

    /** Sorted inputs become one sorted stream. */
    public static <T> OrderedMergeStage<T> sorted(int inputCount, Comparator<? super T> comparator) {
        Objects.requireNonNull(comparator, "comparator");
        return new OrderedMergeStage<>("mergeSorted", inputCount, false, new SortedOrders<T>(comparator));
    }

    /** By number, from 0 and without gaps. */
    public static <T> OrderedMergeStage<T> sequence(int inputCount, ThrowingFunction<? super T, Long> number) {
        Objects.requireNonNull(number, "number");
        return new OrderedMergeStage<>(
                "mergeSequence", inputCount, false, inputs -> new SequenceOrder<>(number, inputs));
    }

    /** So many of each input in turn; eagerly: up to the turn of an input that has completed. */
    public static <T> OrderedMergeStage<T> interleaved(int inputCount, int segmentSize, boolean eagerComplete) {
        if (segmentSize < 1) {
            throw new IllegalArgumentException("segmentSize must be at least 1, not " + segmentSize);
        }
        return new OrderedMergeStage<>(
                "interleave", inputCount, false, InterleavedOrders.ofOne(inputCount, segmentSize, eagerComplete));
    }

    /** As they come; failures are reported when all inputs have ended. */
    public static <T> OrderedMergeStage<T> delayingErrors(int inputCount) {
        int[] weights = new int[inputCount];
        Arrays.fill(weights, 1);
        return new OrderedMergeStage<>("mergeDelayError", inputCount, true, inputs -> new WeightedOrder<>(weights));
    }

    @Override
    public boolean absorbs(GraphStageWithMaterializedValue<?, ?> above, int inlet) {
        return above instanceof OrderedMergeStage<?> junction && orders.absorbs(junction.orders);
    }

    @Override
    public OrderedMergeStage<T> ofTree(JunctionTree tree) {
        List<MergeOrders<?>> all = new ArrayList<>();
        for (GraphStageWithMaterializedValue<?, ?> junction : tree.junctions()) {
            all.add(((OrderedMergeStage<?>) junction).orders);
        }
        return new OrderedMergeStage<>(name(), tree.inputCount(), delaysErrors, orders.ofTree(all, tree));
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(shape());
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final FanInShape<T, T> shape;
        private final WaitingElements<T> waiting;
        private final MergeOrder<T> order;
        private final FirstFailure failures = new FirstFailure();

        Logic(FanInShape<T, T> shape) {
            super(shape);
            this.shape = shape;
            waiting = new WaitingElements<>(shape.inputCount());
            order = orders.newOrder(shape.inputCount());
            setHandler(shape.out(), this);
            for (int i = 0; i < shape.inputCount(); i++) {
                setHandler(shape.in(i), new Input(i));
            }
        }

        @Override
        public void preStart() {
            for (int i = 0; i < shape.inputCount(); i++) {
                pull(shape.in(i));
            }
        }

        @Override
        public void onPull() throws Exception {
            pass();
        }

        private void pass() throws Exception {
            if (isAvailable(shape.out())) {
                int input = order.isOver(waiting) ? MergeOrder.WAIT : order.next(waiting);
                if (input != MergeOrder.WAIT) {
                    T element = waiting.take(input);
                    noteIfOver(input);
                    // First, so that in one island the input has its next element when downstream asks again.
                    tryPull(shape.in(input));
                    push(shape.out(), element);
                }
            }
            if (order.isOver(waiting)) {
                end();
            }
        }

        private void noteIfOver(int input) {
            if (waiting.isOver(input)) {
                order.over(input);
            }
        }

        private void end() {
            Throwable failure = failures.failure();
            if (failure == null) {
                completeStage();
            } else {
                failStage(failure);
            }
        }

        private final class Input implements InHandler {
            private final int number;

            Input(int number) {
                this.number = number;
            }

            @Override
            public void onPush() throws Exception {
                Inlet<T> in = shape.in(number);
                waiting.add(number, grab(in));
                order.arrived(number);
                pass();
            }

            @Override
            public void onUpstreamFinish() throws Exception {
                waiting.close(number);
                noteIfOver(number);
                pass();
            }

            @Override
            public void onUpstreamFailure(Throwable failure) throws Exception {
                if (delaysErrors) {
                    failures.add(failure);
                    onUpstreamFinish();
                } else {
                    failStage(failure);
                }
            }
        }
    }
}
