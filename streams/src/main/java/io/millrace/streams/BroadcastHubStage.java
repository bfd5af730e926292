package io.millrace.streams;

import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import org.jspecify.annotations.Nullable;

/** The sink of a broadcast hub: brings elements and announcements to a {@link HubCore}. */
final class BroadcastHubStage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, BroadcastHub<T>> {
    private final Inlet<T> in = Inlet.create("broadcast-hub.in");
    private final SinkShape<T> shape = SinkShape.of(in);
    private final BroadcastHubSettings settings;
    private final long firstPosition;

    BroadcastHubStage(BroadcastHubSettings settings, long firstPosition) {
        this.settings = settings;
        this.firstPosition = firstPosition;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "broadcast-hub";
    }

    @Override
    public LogicAndValue<BroadcastHub<T>> createLogicAndValue(Attributes inherited) {
        BroadcastHub<T> hub = new BroadcastHub<>(settings.bufferSize(), firstPosition);
        return new LogicAndValue<>(new Logic(hub), hub);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final BroadcastHub<T> hub;
        private final HubCore<T> core;
        private final AsyncCallback<Done> flush = asyncCallback(done -> flushed());
        private boolean flushAsked;

        /** An element that came when consumers had gone or come meanwhile, so that there was no room for it after all. */
        private @Nullable T held;

        private boolean isFinishing;

        Logic(BroadcastHub<T> hub) {
            super(shape);
            this.hub = hub;
            this.core = new HubCore<>(hub.ring(), settings);
            AsyncCallback<Done> arrived = asyncCallback(done -> arrivals());
            hub.wakeHubWith(() -> arrived.invoke(Done.DONE));
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            pullIfRoom();
        }

        @Override
        public void onPush() {
            T element = grab(in);
            if (!offer(element)) {
                held = element;
            }
            pullIfRoom();
        }

        private boolean offer(T element) {
            if (!core.offer(element)) {
                hub.consumerCount(core.consumers());
                return false;
            }
            hub.consumerCount(core.consumers());
            if (core.hasWaiting()) {
                wakeOnceSettled();
            }
            return true;
        }

        /** Waking is put off until the graph rests or the buffer is full, so that a burst wakes each consumer once. */
        private void wakeOnceSettled() {
            if (core.isFull()) {
                core.wakeWaiting();
            } else if (!flushAsked) {
                flushAsked = true;
                flush.invoke(Done.DONE);
            }
        }

        private void flushed() {
            flushAsked = false;
            core.wakeWaiting();
        }

        private void arrivals() {
            takeIn(hub.arrivals().takeAll());
            T waits = held;
            if (waits != null && offer(waits)) {
                held = null;
                if (isFinishing) {
                    end(null);
                    completeStage();
                    return;
                }
            }
            pullIfRoom();
        }

        private void takeIn(@Nullable HubConsumer latest) {
            HubConsumer consumer = latest;
            while (consumer != null) {
                HubConsumer following = consumer.nextArrival;
                consumer.nextArrival = null;
                core.arrived(consumer);
                consumer = following;
            }
            core.advanceHead();
            hub.consumerCount(core.consumers());
        }

        private void pullIfRoom() {
            if (held == null && !isClosed(in) && !hasBeenPulled(in) && core.hasRoom()) {
                pull(in);
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (held != null) {
                isFinishing = true;
                setKeepGoing(true);
                return;
            }
            end(null);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            end(failure);
            failStage(failure);
        }

        @Override
        public void postStop() {
            if (hub.end() == null) {
                end(new AbruptTerminationException("the broadcast hub was stopped before its stream had ended"));
            }
        }

        private void end(@Nullable Throwable failure) {
            takeIn(hub.arrivals().takeAll());
            HubConsumer late = hub.end(core.end(failure));
            while (late != null) {
                HubConsumer following = late.nextArrival;
                // Only those that wait for their start need it, but a wake-up more does no harm.
                late.wake.run();
                late = following;
            }
            core.wakeAll();
        }
    }
}
