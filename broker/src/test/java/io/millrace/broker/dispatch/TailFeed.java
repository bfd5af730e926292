package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
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
final class TailFeed extends GraphStageWithMaterializedValue<SourceShape<Position>, StageActorRef<Position>> {
    private final Outlet<Position> out = Outlet.create("TailFeed.out");
    private final SourceShape<Position> shape = SourceShape.of(out);

    @Override
    public SourceShape<Position> shape() {
        return shape;
    }

    @Override
    public LogicAndValue<StageActorRef<Position>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.self);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Queue<Position> waiting = new ArrayDeque<>();
        private final StageActorRef<Position> self = stageActor(this::announce);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        private void announce(Position position) {
            waiting.add(position);
            if (isAvailable(out)) {
                onPull();
            }
        }

        @Override
        public void onPull() {
            Position next = waiting.poll();
            if (next != null) {
                push(out, next);
            }
        }
    }
}
