package io.millrace.streams;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets everything through until its switch is thrown; it may listen to a shared switch as well. */
final class KillSwitchStage<T> extends GraphStageWithMaterializedValue<FlowShape<T, T>, UniqueKillSwitch> {
    private final Inlet<T> in = Inlet.create("killSwitch.in");
    private final Outlet<T> out = Outlet.create("killSwitch.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);
    private final @Nullable SharedKillSwitch shared;

    KillSwitchStage() {
        this.shared = null;
    }

    KillSwitchStage(SharedKillSwitch shared) {
        this.shared = shared;
    }

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return shared == null ? "killSwitch" : "killSwitch:" + shared.name();
    }

    @Override
    public LogicAndValue<UniqueKillSwitch> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.ownSwitch);
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final UniqueKillSwitch ownSwitch = new UniqueKillSwitch(asyncCallback(this::onThrown));

        Logic() {
            super(shape);
            setHandlers(in, out, this);
        }

        @Override
        public void preStart() {
            if (shared != null) {
                shared.add(ownSwitch, this::onThrown); // at once, as a message would come after the first elements
            }
        }

        @Override
        public void postStop() {
            if (shared != null) {
                shared.remove(ownSwitch);
            }
        }

        @Override
        public void onPush() {
            push(out, grab(in));
        }

        @Override
        public void onPull() {
            pull(in);
        }

        private void onThrown(Optional<Throwable> failure) {
            if (failure.isPresent()) {
                StageContext.of(this).passFailure(failure.get());
            } else {
                completeStage();
            }
        }
    }
}
