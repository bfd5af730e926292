package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Supervision.Directive;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.Weighing;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes one element of those that come while downstream is busy, up to a cost. */
public final class BatchStage<I, A> extends LinearStage<I, A> {
    private final Weighing<I> costs;
    private final ThrowingFunction<? super I, ? extends A> seed;
    private final ThrowingBiFunction<? super A, ? super I, ? extends A> aggregate;

    public BatchStage(
            String name,
            long maxCost,
            ThrowingToLongFunction<? super I> costOf,
            ThrowingFunction<? super I, ? extends A> seed,
            ThrowingBiFunction<? super A, ? super I, ? extends A> aggregate) {
        super(name);
        if (maxCost < 1) {
            throw new IllegalArgumentException(name + ": the maximum must be at least 1, not " + maxCost);
        }
        costs = new Weighing<>(name, maxCost, costOf);
        this.seed = Objects.requireNonNull(seed, "seed");
        this.aggregate = Objects.requireNonNull(aggregate, "aggregate");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new BatchLogic(inherited);
    }

    private final class BatchLogic extends Logic<I, A> {
        private final Attributes inherited;
        private final Later later = new Later(this, this::beginNext);
        private @Nullable A batch;
        private long costLeft;
        /** The first element of the next batch, which was too much for this one. */
        private @Nullable I next;

        private long nextCost;

        BatchLogic(Attributes inherited) {
            super(BatchStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() throws Exception {
            I element = grab(in);
            try {
                add(element, costs.weight(element));
            } catch (Exception failure) {
                onFailure(failure);
            }
            if (isAvailable(out)) {
                emitBatch();
            }
            goOn();
        }

        @Override
        public void onPull() {
            emitBatch();
            goOn();
        }

        @Override
        public void onUpstreamFinish() {
            goOn();
        }

        private void goOn() {
            if (next != null) {
                return;
            }
            if (!isClosed(in)) {
                tryPull(in);
            } else if (batch == null) {
                completeStage();
            }
        }

        /** Begins the next batch with its first element, once the one before is on its way. */
        private void beginNext() throws Exception {
            I first = next;
            if (first == null) {
                return;
            }
            next = null;
            try {
                add(first, nextCost);
            } catch (Exception failure) {
                onFailure(failure);
            }
            if (isAvailable(out)) {
                emitBatch();
            }
            goOn();
        }

        private void add(I element, long cost) throws Exception {
            A current = batch;
            if (current == null) {
                batch = Step.required(seed.apply(element), name());
                costLeft = costs.most() - cost;
            } else if (cost > costLeft) {
                next = element;
                nextCost = cost;
            } else {
                batch = Step.required(aggregate.apply(current, element), name());
                costLeft -= cost;
            }
        }

        private void onFailure(Exception failure) throws Exception {
            Directive directive = Verdict.of(inherited, failure);
            if (directive == Directive.STOP) {
                throw failure;
            }
            if (directive == Directive.RESTART) {
                batch = null;
            }
        }

        private void emitBatch() {
            A current = batch;
            if (current == null) {
                return;
            }
            batch = null;
            push(out, current);
            if (next != null) {
                later.ask();
            }
        }
    }
}
