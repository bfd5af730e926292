package io.millrace.streams.engine.island;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageActorRef;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A running stream of one island whose stage counts what it is told; the test's threads play the executor's. It has
 * started and is at rest.
 */
final class ToldStream {
    static final int STOP = -1;

    private final AtomicReference<Runnable> handedOver = new AtomicReference<>();
    private final Logic logic;

    ToldStream() {
        StreamRuntime runtime = StreamRuntime.create(
                RuntimeSettings.defaults().withName("stress").withExecutor(this::handOver));
        logic = Source.fromGraph(new Stage()).to(Sink.ignore()).run(runtime);
        turn();
    }

    /** An island is handed over once at a time, or its turns could overlap. */
    private void handOver(Runnable island) {
        if (!handedOver.compareAndSet(null, island)) {
            logic.overlaps++;
        }
    }

    /** Gives the island a turn if it was handed over. */
    void turn() {
        Runnable island = handedOver.getAndSet(null);
        if (island != null) {
            island.run();
        }
    }

    void tell(int message) {
        logic.self.tell(message);
    }

    CompletionStage<Done> tellWithFeedback(int message) {
        return logic.callback.invokeWithFeedback(message);
    }

    /** What was handled in order, as digits; 9 in front when two turns were handed over at once. */
    int handled() {
        return logic.overlaps == 0 ? logic.handled : 9_000_000 + logic.handled;
    }

    private static final class Stage extends GraphStageWithMaterializedValue<SourceShape<Integer>, Logic> {
        private final SourceShape<Integer> shape = SourceShape.of(Outlet.create("told.out"));

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<Logic> createLogicAndValue(Attributes inherited) {
            Logic logic = new Logic(shape);
            return new LogicAndValue<>(logic, logic);
        }
    }

    private static final class Logic extends GraphStageLogic implements OutHandler {
        private final StageActorRef<Integer> self = stageActor(this::onMessage);
        private final AsyncCallback<Integer> callback = asyncCallback(this::onMessage);
        private int handled;
        private int overlaps;

        Logic(SourceShape<Integer> shape) {
            super(shape);
            setHandler(shape.out(), this);
        }

        @Override
        public void onPull() {}

        private void onMessage(int message) {
            if (message == STOP) {
                completeStage();
            } else {
                handled = 10 * handled + message;
            }
        }
    }
}
