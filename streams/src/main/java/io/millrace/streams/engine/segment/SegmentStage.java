package io.millrace.streams.engine.segment;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;

/** A segment as a stage of a plan. Its ports are those of all segments, as nobody connects them by hand. */
public final class SegmentStage extends GraphStageWithMaterializedValue<Shape, Object> {
    static final Inlet<Object> IN = Inlet.create("in");
    static final Outlet<Object> OUT = Outlet.create("out");
    private static final Shape FLOW = FlowShape.of(IN, OUT);
    private static final Shape SOURCE = SourceShape.of(OUT);
    private static final Shape SINK = SinkShape.of(IN);
    private static final Shape CLOSED = ClosedShape.of();

    private final Segment segment;
    private final Shape shape;

    public SegmentStage(Segment segment) {
        this.segment = segment;
        if (segment.hasInlet()) {
            shape = segment.hasOutlet() ? FLOW : SINK;
        } else {
            shape = segment.hasOutlet() ? SOURCE : CLOSED;
        }
    }

    /** Whether elements begin here. */
    public boolean hasOrigin() {
        return segment.origin() != null;
    }

    /** The same steps behind another origin of the same kind. */
    public SegmentStage withOrigin(OriginStage<?> head) {
        return new SegmentStage(segment.withOrigin(head));
    }

    Segment segment() {
        return segment;
    }

    public SegmentRun newRun() {
        return new SegmentRun(segment, shape);
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public String name() {
        return segment.path();
    }

    @Override
    public LogicAndValue<Object> createLogicAndValue(Attributes inherited) {
        SegmentRun run = newRun();
        return new LogicAndValue<>(run, run.value());
    }
}
