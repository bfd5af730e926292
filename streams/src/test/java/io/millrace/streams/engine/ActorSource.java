package io.millrace.streams.engine;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.util.concurrent.atomic.AtomicLong;

/** Pushes each message if downstream asks, and counts those that it had to drop; a negative message completes it. */
public final class ActorSource extends GraphStageWithMaterializedValue<SourceShape<Integer>, StageActorRef<Integer>> {
    final AtomicLong dropped = new AtomicLong();
    private final Outlet<Integer> out = Outlet.create("actor.out");
    private final SourceShape<Integer> shape = SourceShape.of(out);

    @Override
    public SourceShape<Integer> shape() {
        return shape;
    }

    @Override
    public LogicAndValue<StageActorRef<Integer>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.ref);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final StageActorRef<Integer> ref = stageActor(this::onMessage);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        private void onMessage(Integer message) {
            if (message < 0) {
                completeStage();
            } else if (isAvailable(out)) {
                push(out, message);
            } else {
                dropped.incrementAndGet();
            }
        }

        @Override
        public void onPull() {
            // Elements come as messages.
        }
    }
}
