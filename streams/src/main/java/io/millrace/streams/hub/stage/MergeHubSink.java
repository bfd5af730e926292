package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import org.jspecify.annotations.Nullable;

/** A producer of a merge hub: asks for as many elements as the hub lets wait and queues them for it. */
public final class MergeHubSink<T> extends GraphStage<SinkShape<T>> {
    private final Inlet<T> in = Inlet.create("merge-hub-sink.in");
    private final SinkShape<T> shape = SinkShape.of(in);
    private final MergeHubState<T> hub;

    public MergeHubSink(MergeHubState<T> hub) {
        this.hub = hub;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "merge-hub-sink";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final StageWakeUp wake = StageWakeUp.of(this, woken -> woken());
        private final HubProducer<T> producer = new HubProducer<>(hub.settings().perProducerBuffer(), wake);
        private boolean hasStarted;
        private boolean hasEnded;

        Logic() {
            super(shape);
            setHandler(in, this);
            if (!hub.expect()) {
                producer.state(HubProducer.State.GONE);
            }
        }

        @Override
        public void preStart() {
            hasStarted = true;
            if (producer.state() == HubProducer.State.GONE) {
                completeStage();
            } else if (producer.mustQueue() && !hub.arrive(producer)) {
                completeStage();
            }
        }

        /** The hub has admitted or refused this producer, has room again, or has ended. */
        private void woken() {
            switch (producer.state()) {
                case NEW -> {}
                case LIVE -> pullIfRoom();
                case GONE -> completeStage();
            }
        }

        private void pullIfRoom() {
            if (!isClosed(in) && !hasBeenPulled(in) && producer.hasRoomOrStalls()) {
                pull(in);
            }
        }

        @Override
        public void onPush() {
            producer.offer(grab(in));
            arriveWithNews();
            pullIfRoom();
        }

        @Override
        public void onUpstreamFinish() {
            end(null);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            end(failure);
            completeStage();
        }

        @Override
        public void postStop() {
            if (!hasEnded) {
                end(hasStarted ? StageContext.of(this).failure() : null); // who runs it is told why it cannot start
            }
        }

        private void end(@Nullable Throwable failure) {
            hasEnded = true;
            producer.end(failure);
            arriveWithNews();
        }

        private void arriveWithNews() {
            if (producer.mustQueue() && !hub.arrive(producer)) {
                completeStage();
            }
        }
    }
}
