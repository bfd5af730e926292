package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.hub.MergeHubSettings;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The source of a merge hub: producers that have something stand in a line; the first gives one element and, if it has
 * more, goes to the end. A producer that has nothing stands in no line and costs nothing.
 */
public final class MergeHubStage<T> extends GraphStageWithMaterializedValue<SourceShape<T>, MergeHubState<T>> {
    private static final System.Logger LOG = System.getLogger("io.millrace.streams.MergeHub");

    private final Outlet<T> out = Outlet.create("merge-hub.out");
    private final SourceShape<T> shape = SourceShape.of(out);
    private final MergeHubSettings settings;

    public MergeHubStage(MergeHubSettings settings) {
        this.settings = settings;
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "merge-hub";
    }

    @Override
    public LogicAndValue<MergeHubState<T>> createLogicAndValue(Attributes inherited) {
        MergeHubState<T> hub = new MergeHubState<>(settings);
        return new LogicAndValue<>(new Logic(hub), hub);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final MergeHubState<T> hub;
        private @Nullable HubProducer<T> present;
        private @Nullable HubProducer<T> firstTurn;
        private @Nullable HubProducer<T> lastTurn;
        private int count;
        private long refused;
        private long failed;

        Logic(MergeHubState<T> hub) {
            super(shape);
            this.hub = hub;
            hub.arrivals().wakeHubWith(StageWakeUp.of(this, arrived -> arrivals()));
            setHandler(out, this);
        }

        @Override
        public Map<String, Long> detail() {
            return Map.of("producers", (long) count, "refused", refused, "failed", failed);
        }

        private void arrivals() {
            HubProducer<T> producer = hub.takeArrivals();
            while (producer != null) {
                HubProducer<T> following = producer.nextArrival;
                producer.nextArrival = null;
                arrived(producer);
                producer = following;
            }
            if (isAvailable(out)) {
                onPull();
            }
            completeIfDrained();
        }

        private void arrived(HubProducer<T> producer) {
            switch (producer.state()) {
                case NEW -> admit(producer);
                case LIVE -> continueOrLeave(producer);
                case GONE -> {}
            }
        }

        private void admit(HubProducer<T> producer) {
            boolean hasRoom = (count + 1L) * settings.perProducerBuffer() <= settings.maxTotalBuffer();
            hub.hasArrived();
            if (!hasRoom) {
                refused++;
                producer.state(HubProducer.State.GONE);
            } else {
                producer.state(HubProducer.State.LIVE);
                add(producer);
                continueOrLeave(producer);
            }
            producer.wake.run();
        }

        private void add(HubProducer<T> producer) {
            producer.next = present;
            if (present != null) {
                present.previous = producer;
            }
            present = producer;
            count++;
            hub.producerCount(count);
        }

        private void remove(HubProducer<T> producer) {
            HubProducer<T> before = producer.previous;
            HubProducer<T> after = producer.next;
            if (before == null) {
                present = after;
            } else {
                before.next = after;
            }
            if (after != null) {
                after.previous = before;
            }
            producer.state(HubProducer.State.GONE);
            count--;
            hub.producerCount(count);
        }

        private void lineUp(HubProducer<T> producer) {
            if (lastTurn == null) {
                firstTurn = producer;
            } else {
                lastTurn.nextTurn = producer;
            }
            lastTurn = producer;
        }

        private @Nullable HubProducer<T> takeTurn() {
            HubProducer<T> producer = firstTurn;
            if (producer != null) {
                firstTurn = producer.nextTurn;
                producer.nextTurn = null;
                if (firstTurn == null) {
                    lastTurn = null;
                }
            }
            return producer;
        }

        /** Lets a producer that has nothing more queue itself again, unless it got something meanwhile. */
        private void rest(HubProducer<T> producer) {
            producer.unqueue();
            if (producer.hasNews() && producer.mustQueue()) {
                continueOrLeave(producer);
            }
        }

        @Override
        public void onPull() {
            HubProducer<T> producer = takeTurn();
            while (producer != null) {
                if (producer.hasElements()) {
                    push(out, producer.poll());
                    continueOrLeave(producer);
                    break;
                }
                continueOrLeave(producer);
                producer = isClosed(out) ? null : takeTurn();
            }
            completeIfDrained();
        }

        /** Puts a producer where it belongs when it has news or has had its turn. */
        private void continueOrLeave(HubProducer<T> producer) {
            boolean hadEnded = producer.hasEnded();
            if (producer.hasElements()) {
                lineUp(producer);
            } else if (hadEnded) {
                remove(producer);
                reportFailure(producer);
            } else {
                rest(producer);
            }
        }

        private void reportFailure(HubProducer<T> producer) {
            Throwable failure = producer.failure();
            if (failure != null && StageContext.of(this).isEndedByForce()) {
                return; // as the producer was
            }
            failed += failure == null ? 0 : 1;
            if (failure != null && settings.failOnProducerFailure()) {
                StageContext.of(this).passFailure(failure);
            } else if (failure != null) {
                LOG.log(System.Logger.Level.WARNING, "a producer of a merge hub has failed and was removed", failure);
            }
        }

        private void completeIfDrained() {
            if (count == 0 && hub.isDraining() && !hub.expectsMore()) {
                completeStage();
            }
        }

        @Override
        public void postStop() {
            hub.producerCount(0);
            HubProducer<T> late = hub.close();
            while (late != null) {
                HubProducer<T> following = late.nextArrival;
                dismiss(late);
                late = following;
            }
            for (HubProducer<T> producer = present; producer != null; producer = producer.next) {
                dismiss(producer);
            }
            present = null;
            count = 0;
        }

        private void dismiss(HubProducer<T> producer) {
            producer.state(HubProducer.State.GONE);
            producer.wake.run();
        }
    }
}
