package io.millrace.streams.engine;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.function.Function;

/** Stages whose logic a test writes in place. */
final class TestStages {
    private TestStages() {}

    static <O, M> Source<O, M> source(Function<SourceShape<O>, LogicAndValue<M>> logic) {
        return new Source<>(logic);
    }

    static <I, O, M> Flow<I, O, M> flow(Function<FlowShape<I, O>, LogicAndValue<M>> logic) {
        return new Flow<>(logic);
    }

    static <I, M> Sink<I, M> sink(Function<SinkShape<I>, LogicAndValue<M>> logic) {
        return new Sink<>(logic);
    }

    static <L extends GraphStageLogic> LogicAndValue<L> itself(L logic) {
        return new LogicAndValue<>(logic, logic);
    }

    static final class Source<O, M> extends GraphStageWithMaterializedValue<SourceShape<O>, M> {
        private final SourceShape<O> shape = SourceShape.of(Outlet.create("probe.out"));
        private final Function<SourceShape<O>, LogicAndValue<M>> logic;

        Source(Function<SourceShape<O>, LogicAndValue<M>> logic) {
            this.logic = logic;
        }

        @Override
        public SourceShape<O> shape() {
            return shape;
        }

        @Override
        public String name() {
            return "probeSource";
        }

        @Override
        public LogicAndValue<M> createLogicAndValue(Attributes inherited) {
            return logic.apply(shape);
        }
    }

    static final class Flow<I, O, M> extends GraphStageWithMaterializedValue<FlowShape<I, O>, M> {
        private final FlowShape<I, O> shape = FlowShape.of(Inlet.create("probe.in"), Outlet.create("probe.out"));
        private final Function<FlowShape<I, O>, LogicAndValue<M>> logic;

        Flow(Function<FlowShape<I, O>, LogicAndValue<M>> logic) {
            this.logic = logic;
        }

        @Override
        public FlowShape<I, O> shape() {
            return shape;
        }

        @Override
        public String name() {
            return "probeFlow";
        }

        @Override
        public LogicAndValue<M> createLogicAndValue(Attributes inherited) {
            return logic.apply(shape);
        }
    }

    static final class Sink<I, M> extends GraphStageWithMaterializedValue<SinkShape<I>, M> {
        private final SinkShape<I> shape = SinkShape.of(Inlet.create("probe.in"));
        private final Function<SinkShape<I>, LogicAndValue<M>> logic;

        Sink(Function<SinkShape<I>, LogicAndValue<M>> logic) {
            this.logic = logic;
        }

        @Override
        public SinkShape<I> shape() {
            return shape;
        }

        @Override
        public String name() {
            return "probeSink";
        }

        @Override
        public LogicAndValue<M> createLogicAndValue(Attributes inherited) {
            return logic.apply(shape);
        }
    }
}
