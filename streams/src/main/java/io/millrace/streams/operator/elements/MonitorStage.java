package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.inspect.Monitor;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;

/** Lets everything through and shows it in a monitor. */
public final class MonitorStage<T> extends GraphStageWithMaterializedValue<FlowShape<T, T>, Monitor<T>> {
    private final Inlet<T> in = Inlet.create("monitor.in");
    private final Outlet<T> out = Outlet.create("monitor.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "monitor";
    }

    @Override
    public LogicAndValue<Monitor<T>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.monitor);
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final Passed<T> monitor = new Passed<>();

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void onPush() {
            T element = grab(in);
            monitor.passed(element);
            push(out, element);
        }

        @Override
        public void onPull() {
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            monitor.ended(Monitor.State.COMPLETED, null);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            monitor.ended(Monitor.State.FAILED, failure);
            failStage(failure);
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            monitor.ended(Monitor.State.CANCELLED, cause);
            cancelStage(cause);
        }

        @Override
        public void postStop() {
            monitor.ended(Monitor.State.CANCELLED, abruptEnd());
        }
    }
}
