package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.util.Map;

/** A consumer of a partition hub: takes what the hub has queued for it and says so once per half of its queue, or at once. */
public final class PartitionHubSource<T> extends GraphStage<SourceShape<T>> {
    private final Outlet<T> out = Outlet.create("partition-hub-source.out");
    private final SourceShape<T> shape = SourceShape.of(out);
    private final PartitionHubState<T> hub;

    public PartitionHubSource(PartitionHubState<T> hub) {
        this.hub = hub;
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "partition-hub-source";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final PartitionConsumer<T> consumer = hub.newConsumer(StageWakeUp.of(this, woken -> woken()));
        /** Where all queues are bounded together, others may wait for the place of each element. */
        private final int announceEvery = hub.settings().maxTotalBuffer() == Long.MAX_VALUE
                ? (hub.settings().perConsumerBuffer() + 1) / 2
                : 1;

        private int sinceAnnounced;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            if (consumer.mustQueue() && !hub.arrivals().push(consumer)) {
                woken();
            }
        }

        @Override
        public Map<String, Long> detail() {
            return Map.of("queued", (long) consumer.queued());
        }

        @Override
        public void onPull() {
            T element = consumer.poll();
            if (element == null) {
                waitForMore();
                return;
            }
            push(out, element);
            sinceAnnounced++;
            if (sinceAnnounced >= announceEvery || consumer.queued() == 0) {
                announce();
            }
            completeAtEnd();
        }

        private void waitForMore() {
            if (consumer.awaitNext()) {
                completeAtEnd();
            } else {
                onPull();
            }
        }

        private void announce() {
            sinceAnnounced = 0;
            if (consumer.mustQueue()) {
                hub.arrivals().push(consumer);
            }
        }

        /** The hub has queued an element for this consumer, has nothing more to give out, or has ended. */
        private void woken() {
            PartitionHubState.End end = hub.end();
            if (end != null && end.failure() != null) {
                StageContext.of(this).passFailure(end.failure());
            } else if (isAvailable(out)) {
                onPull();
            } else {
                completeAtEnd();
            }
        }

        /** Completes when nothing more can come; of a failure the hub's wake-up tells. */
        private void completeAtEnd() {
            PartitionHubState.End end = hub.end();
            boolean nothingMore = end == null ? consumer.isAdmitted() && hub.isSealed() : end.failure() == null;
            if (nothingMore && consumer.queued() == 0) {
                completeStage();
            }
        }

        @Override
        public void postStop() {
            consumer.leave();
            announce();
        }
    }
}
