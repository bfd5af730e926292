package io.millrace.broker.dispatch;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.util.ArrayDeque;
import java.util.Queue;

/** Announces what it is told, as a topic's append stage does. */
final class TailFeed extends GraphStageWithMaterializedValue<SourceShape<TailEntry>, StageActorRef<TailEntry>> {
    private final Outlet<TailEntry> out = Outlet.create("TailFeed.out");
    private final SourceShape<TailEntry> shape = SourceShape.of(out);

    @Override
    public SourceShape<TailEntry> shape() {
        return shape;
    }

    @Override
    public LogicAndValue<StageActorRef<TailEntry>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Queue<TailEntry> waiting = new ArrayDeque<>();
        private final StageActorRef<TailEntry> self = stageActor(this::announce);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        private void announce(TailEntry entry) {
            waiting.add(entry);
            if (isAvailable(out)) {
                onPull();
            }
        }

        @Override
        public void onPull() {
            TailEntry next = waiting.poll();
            if (next != null) {
                push(out, next);
            }
        }
    }
}
