package io.millrace.streams;

import io.millrace.streams.engine.StageAccess;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.concurrent.CompletionStage;

/** A consumer of a {@link ConnectableSource}: joins its session when it is run. */
final class SharedSource<O> extends GraphStageWithMaterializedValue<SourceShape<O>, NotUsed> {
    private final ConnectableSource<O> shared;
    private final int connectingCount;
    private final boolean counted;
    private final SourceShape<O> shape = SourceShape.of(Outlet.create("shared.out"));

    SharedSource(ConnectableSource<O> shared, int connectingCount, boolean counted) {
        this.shared = shared;
        this.connectingCount = connectingCount;
        this.counted = counted;
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "shared";
    }

    @Override
    public LogicAndValue<NotUsed> createLogicAndValue(Attributes inherited) {
        SharedSession<O> session = shared.join(counted);
        LogicAndValue<CompletionStage<Done>> consumer =
                new BroadcastHubSource<>(session.hub(), shared.consumerSettings()).createLogicAndValue(inherited);
        if (counted) {
            StageAccess.cell(consumer.logic()).whenStopped(session::leaveCounted);
        }
        session.arrives(consumer.value(), connectingCount);
        return new LogicAndValue<>(consumer.logic(), NotUsed.NOT_USED);
    }
}
