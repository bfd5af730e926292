package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A consumer of a source that is shared: joins its session when it is run. */
public final class SharedSource<O> extends GraphStageWithMaterializedValue<SourceShape<O>, NotUsed> {
    private final Supplier<SharedSession<O>> sessions;
    private final BroadcastConsumerSettings settings;
    private final int connectingCount;
    private final boolean counted;
    private final SourceShape<O> shape = SourceShape.of(Outlet.create("shared.out"));

    /**
     * @param sessions joins the session of one more consumer
     * @param settings of each consumer
     * @param connectingCount how many consumers begin the session
     * @param counted whether the session ends with the last of its consumers
     */
    public SharedSource(
            Supplier<SharedSession<O>> sessions,
            BroadcastConsumerSettings settings,
            int connectingCount,
            boolean counted) {
        this.sessions = sessions;
        this.settings = settings;
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
        SharedSession<O> session = sessions.get();
        LogicAndValue<CompletionStage<Done>> consumer =
                new BroadcastHubSource<>(session.hub(), settings).createLogicAndValue(inherited);
        if (counted) {
            StageContext.of(consumer.logic()).whenStopped(session::leaveCounted);
        }
        session.arrives(consumer.value(), connectingCount, StageContext.of(consumer.logic())::reportNotMade);
        return new LogicAndValue<>(consumer.logic(), NotUsed.NOT_USED);
    }
}
